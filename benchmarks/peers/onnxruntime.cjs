// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an ONNX file in ONNX Runtime.
//
// usage: node onnxruntime.cjs MODEL.onnx INPUT.npy OUTPUT.npy THREADS
//
// As benchmarks/peers/pytorch.py: one line of JSON with the version, then a line of
// times for each request that is read from standard input: a number of runs, or
// RUNS CALLERS THREADS. The result is written to OUTPUT.npy. The package
// onnxruntime-node is looked for where NODE_PATH says.
//
// session.run() keeps the JavaScript thread until it is done. Each caller is therefore
// a thread with a session of its own.

const fs = require("fs");
const readline = require("readline");
const {Worker, isMainThread, parentPort, workerData} = require("worker_threads");
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

async function load(model, input, threads) {
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "all",
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
  });
  const feeds = {[session.inputNames[0]]: readNpy(input)};
  return {session, run: () => session.run(feeds)};
}

// Times in microseconds, begin and end in nanoseconds.
async function measure(run, repeat) {
  const times = [];
  const first = process.hrtime.bigint();
  let end = first;
  for (let i = 0; i < repeat; ++i) {
    const begin = process.hrtime.bigint();
    await run();
    end = process.hrtime.bigint();
    times.push(Number(end - begin) / 1e3);
  }
  return {times, first, end};
}

function next(worker) {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

// The threads that call at once. They stay until others are asked for.
let callers = {key: "", workers: []};

async function startCallers(model, input, count, threads) {
  const key = `${count} ${threads}`;
  if (callers.key === key)
    return callers.workers;
  await Promise.all(callers.workers.map(worker => worker.terminate()));
  const workers = [];
  for (let i = 0; i < count; ++i)
    workers.push(new Worker(__filename, {workerData: {model, input, threads}}));
  callers = {key, workers};
  await Promise.all(workers.map(next));
  return workers;
}

async function measureCallers(model, input, repeat, count, threads) {
  const workers = await startCallers(model, input, count, threads);
  const answers = workers.map(next);
  workers.forEach(worker => worker.postMessage(repeat));
  const results = await Promise.all(answers);
  const begin = results.map(result => result.first).reduce((a, b) => a < b ? a : b);
  const end = results.map(result => result.end).reduce((a, b) => a > b ? a : b);
  return {times_us: results.flatMap(result => result.times),
          wall_us: Number(end - begin) / 1e3};
}

async function main() {
  const [model, input, output, threadsText] = process.argv.slice(2);
  const threads = Number(threadsText);
  const {session, run} = await load(model, input, threads);
  const result = await run();
  writeNpy(output, result[session.outputNames[0]]);
  console.log(JSON.stringify({
    backend: "ONNX Runtime " + ort.env.versions.node,
    configuration: "all optimizations",
    threads,
  }));
  for await (const line of readline.createInterface({input: process.stdin})) {
    const [repeat, count, each] = line.split(" ").map(Number);
    const answer = count ? await measureCallers(model, input, repeat, count, each)
                         : {times_us: (await measure(run, repeat)).times};
    console.log(JSON.stringify(answer));
  }
  process.exit(0);
}

// Runs once to warm up, then as often as each message says.
async function serve() {
  const {model, input, threads} = workerData;
  const {run} = await load(model, input, threads);
  await run();
  parentPort.on("message", async repeat => parentPort.postMessage(await measure(run, repeat)));
  parentPort.postMessage("ready");
}

if (isMainThread)
  main().catch(error => {
    console.error("onnxruntime: " + error.message);
    process.exit(1);
  });
else
  serve();
