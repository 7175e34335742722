//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Execute/Compile.h"
#include "FusionDialect/Execute/Decompose.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace fusion;
using namespace fusion::run;

/// The number of multiplications with an addition: the elements of the filter
/// times the places of the result, or of the input if `op` is transposed. In a
/// matrix multiplication they are counted within the batch.
static std::optional<int64_t> countMultiplyAdds(FusedOpInterface op) {
  bool isTransposed = isa<FusedDeconvBiasActOp>(op.getOperation());
  auto filter = cast<ShapedType>(op.getFilter().getType());
  auto places = isTransposed ? cast<ShapedType>(op.getInput().getType())
                             : op.getOutputType();
  if (!filter.hasStaticShape() || !places.hasStaticShape())
    return std::nullopt;
  int64_t channel = isTransposed ? op.getInputLayout().getPosition('c')
                                 : op.getOutputChannelDim();
  LayoutAttr layout = op.getFilterLayout();
  int64_t batches =
      layout.has('b') ? layout.getDimSize(op.getFilter(), 'b') : 1;
  int64_t channels = places.getDimSize(channel);
  std::optional<int64_t> numPlaces = countElements(places.getShape()),
                         numProducts = countElements(filter.getShape());
  if (channels * batches == 0)
    return 0;
  if (!numPlaces || !numProducts)
    return std::nullopt;
  return countElements({*numPlaces / channels, *numProducts / batches});
}

namespace {
/// Counts convolutions and matrix multiplications at its place in the pipeline.
class CountPass : public PassWrapper<CountPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountPass)

  explicit CountPass(CompileInfo &info) : info(info) {}
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto fused = dyn_cast<FusedOpInterface>(op)) {
        ++info.fusedOps;
        info.hasFloats |=
            isa<FloatType>(getElementTypeOrSelf(fused.getInput()));
        if (std::optional<int64_t> count = countMultiplyAdds(fused))
          info.multiplyAdds[getLocationText(op->getLoc())] += *count;
      }
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        info.otherConvolutions +=
            isMatmul(op) || computesFactors(op) || isMergedProduct(op) ||
            (linalg::isaConvolutionOpInterface(linalgOp) &&
             !isPooling(linalgOp));
    });
  }

private:
  /// linalg takes a pool for a convolution whose filter is the window. The
  /// contents of that are not read.
  static bool isPooling(linalg::LinalgOp op) {
    auto dims = linalg::inferConvolutionDims(op);
    return succeeded(dims) && dims->inputChannel.empty() &&
           !op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
  }

  CompileInfo &info;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

static void copyOptions(const Options &options, CompileOptions &result) {
  result.fuse = options.mode == Mode::Fused;
  result.allowReshape = options.allowReshape;
  result.allowContractRounding = options.allowContractRounding;
  result.allowWinograd = options.allowWinograd;
  result.nanMode = options.nanMode;
  result.quantRounding = options.quantRounding;
  if (options.cacheBytes)
    result.cacheBytes = *options.cacheBytes;
  result.precision = getName(options.precision).str();
  for (const std::string &law : options.disabledLaws)
    result.disable.push_back(law);
}

llvm::Error fusion::run::lowerWithFusion(Program &program,
                                         const Options &options,
                                         CompileInfo &info) {
  CompileOptions compile;
  copyOptions(options, compile);
  LowerOptions lower;
  lower.traceLoops = options.profile;
  lower.setUp = applyPassManagerCLOptions;
  lower.inspect = [&](OpPassManager &pm) {
    pm.addPass(std::make_unique<CountPass>(info));
  };
  return lowerProgram(program, compile, lower);
}

/// Warns of the ops of Fusion in the file, which upstream cannot lower.
static bool warnOfFusionOps(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa_and_nonnull<FusionDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitWarning("the reference decomposes the file's own ops of Fusion, "
                    "and so cannot tell whether they are right");
    return WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

llvm::Error fusion::run::lowerWithReference(Program &program) {
  decomposeSoftmax(*program.module);
  bool isDecomposed = warnOfFusionOps(*program.module);
  auto build = [&](PassManager &pm) {
    if (isDecomposed)
      pm.addPass(createConvertFusionToLinalg());
    buildReferencePipeline(pm);
    return applyPassManagerCLOptions(pm);
  };
  return lowerProgram(program, build, "with upstream's passes");
}
