# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function of linalg on tensors as text, op by op; knows nothing of networks."""

from dataclasses import dataclass

from weights import chunks, count, permuted, values

# A dimension size that is known at run time only: that of the batch.
DYNAMIC = "?"


@dataclass(frozen=True)
class Tensor:
    """An SSA value: a ranked tensor."""

    name: str
    shape: tuple
    element: str = "f32"

    @property
    def type(self):
        return type_of(self.shape, self.element)


def type_of(shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"


def size_list(shape):
    """The sizes as operands of an op: the batch, where it is dynamic, as a value."""
    return ", ".join("%batch" if size == DYNAMIC else str(size) for size in shape)


def literal(value):
    """A number as MLIR reads it, for which 1e-05 is no float; text stays as it is."""
    if not isinstance(value, float):
        return str(value)
    digits, exponent, rest = repr(value).partition("e")
    return digits + ("" if "." in digits else ".0") + exponent + rest


def listed(*tensors):
    """`%a, %b : type of a, type of b`, as ins and outs have their operands."""
    names = ", ".join(tensor.name for tensor in tensors)
    return f"{names} : {', '.join(tensor.type for tensor in tensors)}"


def affine_map(rank, results):
    """`results` in terms of d0, d1, ... of an iteration space of `rank` dimensions."""
    return f"affine_map<({dimensions(rank)}) -> ({results})>"


def dimensions(rank):
    return ", ".join(f"d{i}" for i in range(rank))


def seeded_chunks(tensor, order, seed):
    """The values of a weight, of which PyTorch's dimensions are in another order."""
    name, shape = tensor.name[1:], tensor.shape
    if not order:
        return chunks(name, shape, seed, tensor.element)
    source = tuple(shape[order.index(i)] for i in range(len(shape)))
    return [permuted(values(name, source, seed), source, order)]


class Function:
    """Collects the ops of one function. Weights become splat constants, arguments
    marked `fusion.constant`, or seeded: constants with a value for each element. Equal
    scalars, empty tensors and fills are one value, as after --cse."""

    def __init__(self, name, weights="constants"):
        self.name = name
        self.weights = weights
        self.seeded = []  # the weights whose values come after the function
        self.input_shape = None
        self.arguments = []
        self.constants = []
        self.body = []
        self.maps = {}  # text of an affine map -> its alias
        self.shared = {}  # text after the `=` -> value
        self.numbers = {}  # kind of name -> how many so far
        self.layer = ""
        self.parameters = 0

    def number(self, kind):
        self.numbers[kind] = self.numbers.get(kind, -1) + 1
        return self.numbers[kind]

    # Values from outside.

    def input(self, shape):
        self.input_shape = shape
        tensor = Tensor("%input", shape)
        self.arguments.append(f"{tensor.name}: {tensor.type}")
        if DYNAMIC in shape:
            zero = self.scalar(0, "index")
            self.effect(f"%batch = tensor.dim {tensor.name}, {zero} : {tensor.type}")
        return tensor

    def begin_layer(self, kind):
        """The weights that follow are named after this layer."""
        self.layer = f"{kind}{self.number(kind)}"

    def weight(self, role, shape, value, order=None):
        """Each dimension of `shape` is that of PyTorch's weight that `order` says, if the
        two have different orders."""
        tensor = Tensor(f"%{self.layer}_{role}", shape)
        # Statistics of a batch norm are not learned.
        if role not in ("mean", "variance"):
            self.parameters += count(shape)
        if self.weights == "arguments":
            self.arguments.append(f"{tensor.name}: {tensor.type} {{fusion.constant}}")
        elif self.weights == "seeded":
            self.add_seeded(tensor, order)
        else:
            # All differ: equal branches of a network would be merged by --cse.
            value *= 1 + 2.0**-12 * self.number("constant")
            self.constants.append(
                f"{tensor.name} = arith.constant dense<{literal(value)}>"
                f" : {tensor.type}"
            )
        return tensor

    def seeded_weight(self, role, shape, element):
        """Integers, which are seeded whatever the other weights are."""
        tensor = Tensor(f"%{self.layer}_{role}", shape, element)
        self.parameters += count(shape)
        self.add_seeded(tensor)
        return tensor

    def add_seeded(self, tensor, order=None):
        """Declares a constant whose values come after the function."""
        self.seeded.append((tensor, order))
        self.constants.append(
            f"{tensor.name} = arith.constant dense_resource<{tensor.name[1:]}>"
            f" : {tensor.type}"
        )

    def scalar(self, value, element_type="f32"):
        return self.constant(f"arith.constant {literal(value)} : {element_type}")

    def splat(self, value, shape, element="f32"):
        """A constant that is no weight: a bound, an epsilon."""
        text = f"arith.constant dense<{literal(value)}> : {type_of(shape, element)}"
        return Tensor(self.constant(text), shape, element)

    def constant(self, text):
        if text not in self.shared:
            self.shared[text] = f"%cst{self.number('cst')}"
            self.constants.append(f"{self.shared[text]} = {text}")
        return self.shared[text]

    # Ops.

    def op(self, text, shape, element="f32"):
        """An op with one result of `shape`, of which `text` lacks the `%n = `."""
        tensor = Tensor(f"%{self.number('op')}", shape, element)
        self.body.append(f"{tensor.name} = {text}")
        return tensor

    def effect(self, text):
        """An op without results, or with a name of its own."""
        self.body.append(text)

    def shared_op(self, text, shape, element="f32"):
        if text not in self.shared:
            self.shared[text] = self.op(text, shape, element)
        return self.shared[text]

    def empty(self, shape, element="f32"):
        sizes = size_list(size for size in shape if size == DYNAMIC)
        text = f"tensor.empty({sizes}) : {type_of(shape, element)}"
        return self.shared_op(text, shape, element)

    def fill(self, value, shape, element="f32"):
        init = self.empty(shape, element)
        return self.shared_op(
            f"linalg.fill ins({self.scalar(value, element)} : {element})"
            f" outs({listed(init)}) -> {init.type}",
            shape,
            element,
        )

    def pad(self, x, low, high, value):
        if not any(low) and not any(high):
            return x
        shape = tuple(
            size if size == DYNAMIC else size + before + after
            for size, before, after in zip(x.shape, low, high)
        )
        indices = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        return self.op(
            f"tensor.pad {x.name} low{list(low)} high{list(high)} {{\n"
            f"^bb0({indices}):\n"
            f"  tensor.yield {self.scalar(value, x.element)} : {x.element}\n"
            f"}} : {x.type} to {type_of(shape, x.element)}",
            shape,
            x.element,
        )

    def expand(self, x, groups, shape):
        return self.op(
            f"tensor.expand_shape {x.name} {groups} output_shape [{size_list(shape)}]"
            f" : {x.type} into {type_of(shape, x.element)}",
            shape,
            x.element,
        )

    def collapse(self, x, groups, shape):
        return self.op(
            f"tensor.collapse_shape {x.name} {groups}"
            f" : {x.type} into {type_of(shape, x.element)}",
            shape,
            x.element,
        )

    def transpose(self, x, permutation):
        shape = tuple(x.shape[i] for i in permutation)
        return self.op(
            f"linalg.transpose ins({listed(x)}) outs({listed(self.empty(shape))})"
            f" permutation = {list(permutation)}",
            shape,
        )

    def named(self, name, inputs, init, attributes=""):
        """A named op of linalg."""
        attributes = f" {{{attributes}}}" if attributes else ""
        return self.op(
            f"linalg.{name}{attributes} ins({listed(*inputs)})"
            f" outs({listed(init)}) -> {init.type}",
            init.shape,
            init.element,
        )

    def generic(self, inputs, init, body, init_dims=None, iterators=None):
        """`inputs` are pairs of a tensor and its dimensions as in "d0, 0". The lines
        of `body` use the elements %a, %b, ... of the inputs and %out of the init; the
        last one defines %r. Without lines the op copies %a."""
        rank = len(iterators or init.shape)
        dims = [dims for _, dims in inputs] + [
            dimensions(rank) if init_dims is None else init_dims
        ]
        maps = ", ".join(self.map_alias(affine_map(rank, d)) for d in dims)
        iterators = ", ".join(f'"{i}"' for i in iterators or ["parallel"] * rank)
        names = [f"%{chr(ord('a') + i)}" for i in range(len(inputs))] + ["%out"]
        elements = [tensor.element for tensor, _ in inputs] + [init.element]
        scalars = (f"{name}: {element}" for name, element in zip(names, elements))
        operands = [tensor for tensor, _ in inputs]
        ins = f" ins({listed(*operands)})" if operands else ""
        lines = [
            f"linalg.generic {{indexing_maps = [{maps}],"
            f" iterator_types = [{iterators}]}}{ins} outs({listed(init)}) {{",
            f"^bb0({', '.join(scalars)}):",
            *(f"  {line}" for line in body),
            f"  linalg.yield {'%r' if body else '%a'} : {init.element}",
            f"}} -> {init.type}",
        ]
        return self.op("\n".join(lines), init.shape, init.element)

    def map_alias(self, text):
        return self.maps.setdefault(text, f"#map{len(self.maps)}")

    # The result.

    def write(self, file, result, seed=0):
        """The module as text, with `result` as the result of the function."""
        arguments = ",\n    ".join(self.arguments)
        lines = [f"{alias} = {text}" for text, alias in self.maps.items()]
        lines.append(f"func.func @{self.name}(\n    {arguments}) -> {result.type} {{")
        lines += [f"  {line}" for line in self.constants]
        lines += [f"  {line}" for line in "\n".join(self.body).split("\n")]
        lines += [f"  return {listed(result)}", "}", ""]
        file.write("\n".join(lines))
        if self.seeded:
            self.write_seeded(file, seed)

    def write_seeded(self, file, seed):
        """Their values as resources, each after its alignment: 64 in 4 bytes."""
        file.write("\n{-#\n  dialect_resources: {\n    builtin: {\n")
        for i, (tensor, order) in enumerate(self.seeded):
            name = tensor.name[1:]
            file.write(",\n" if i else "")
            file.write(f'      {name}: "0x40000000')
            for chunk in seeded_chunks(tensor, order, seed):
                file.write(chunk.hex())
            file.write('"')
        file.write("\n    }\n  }\n#-}\n")
