// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an ONNX file in ONNX Runtime.
//
// usage: node onnxruntime.cjs MODEL.onnx INPUT.npy OUTPUT.npy THREADS
//
// As benchmarks/peers/pytorch.py: one line of JSON with the version, then a line of
// times for each number of runs that is read from standard input. The result is
// written to OUTPUT.npy. The package onnxruntime-node is looked for where NODE_PATH
// says.

const fs = require("fs");
const readline = require("readline");
const ort = require("onnxruntime-node");

function readNpy(path) {
  const file = fs.readFileSync(path);
  const length = file.readUInt16LE(8);
  const header = file.toString("latin1", 10, 10 + length);
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].match(/\d+/g).map(Number);
  const data = file.buffer.slice(file.byteOffset + 10 + length,
                                 file.byteOffset + file.length);
  return new ort.Tensor("float32", new Float32Array(data), shape);
}

function writeNpy(path, tensor) {
  let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
               tensor.dims.join(", ") + ",), }";
  header += " ".repeat(63 - (header.length + 10) % 64) + "\n";
  const start = Buffer.from("\x93NUMPY\x01\x00\x00\x00" + header, "latin1");
  start.writeUInt16LE(header.length, 8);
  const data = tensor.data;
  fs.writeFileSync(path, Buffer.concat([
    start, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}

async function main() {
  const [model, input, output, threads] = process.argv.slice(2);
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "all",
    intraOpNumThreads: Number(threads),
    interOpNumThreads: 1,
    executionMode: "sequential",
  });
  const feeds = {[session.inputNames[0]]: readNpy(input)};
  const result = await session.run(feeds);
  writeNpy(output, result[session.outputNames[0]]);
  console.log(JSON.stringify({
    backend: "ONNX Runtime " + ort.env.versions.node,
    configuration: "all optimizations",
    threads: Number(threads),
    precision: "f32",
  }));
  for await (const line of readline.createInterface({input: process.stdin})) {
    const times = [];
    for (let i = 0; i < Number(line); ++i) {
      const begin = process.hrtime.bigint();
      await session.run(feeds);
      times.push(Number(process.hrtime.bigint() - begin) / 1e3);
    }
    console.log(JSON.stringify({times_us: times}));
  }
}

main().catch(error => {
  console.error("onnxruntime: " + error.message);
  process.exit(1);
});
