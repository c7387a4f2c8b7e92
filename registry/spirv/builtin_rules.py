# SPDX-FileCopyrightText: The Assay Authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the rules of built-in variables from their sentences, such as

    The FragCoord decoration must be used only within the Fragment Execution Model

A sentence with a word that is not understood makes no row. `parse` lists it.
"""

import dataclasses
import re

_ID = re.compile(r"VUID-(\w+)-\w+-\d{5}")
_OTHER_OWNER = re.compile(r"(?:[vV]k|PFN_)\w+|\w+Spirv")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}
_SCALARS = {"integer": "Int", "floating-point": "Float", "float": "Float", "boolean": "Bool"}

# {id: (the sentence, its correction)}. Only one type can be meant: these built-ins are integers in all models.
_CORRECTIONS = {
    "VUID-Layer-Layer-10593": ("array of boolean values", "array of 32-bit integer values"),
    "VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-10599":
        ("array of boolean values", "array of 32-bit integer values"),
    "VUID-ViewportIndex-ViewportIndex-10601": ("boolean", "32-bit integer"),
    "VUID-ViewportIndex-ViewportIndex-10602": ("array of boolean values", "array of 32-bit integer values"),
}
# {id: why there is no row, although the sentence is understood}.
_REFUSED = {
    "VUID-BaryCoordNoPerspCentroidAMD-BaryCoordNoPerspCentroidAMD-04165":
        "a vector of three by the sentence, of two in GL_AMD_shader_explicit_vertex_parameter and all compilers",
}


@dataclasses.dataclass
class BuiltInType:
    """Arrays of `size` elements, or any number if it is 0, of matrices, vectors or scalars."""

    scalar: str
    # In bits; 0 for any, and for booleans.
    width: int = 0
    components: int = 1
    columns: int = 1
    arrays: int = 0
    size: int = 0


@dataclasses.dataclass
class BuiltInRule:
    """A row of vk/spirv/builtin_rule_info.h, which says what the kinds mean."""

    # The index among all ids, and the id.
    vuid: int
    id: str
    # Enumerants here and below are names of SPIR-V's grammar.
    built_in: str
    kind: str
    models: list[str] = dataclasses.field(default_factory=list)
    excludes_models: bool = False
    # ("StorageClass", "Input"), or a number.
    operands: list = dataclasses.field(default_factory=list)
    type: BuiltInType | None = None
    # Of a built-in with rules under two names: the extension of SPIR-V that has the name of the id. "" for others.
    extension: str = ""


class Names:
    """Enumerants by their names, from the document of SPIR-V's core grammar."""

    def __init__(self, grammar):
        self._names = {}
        self._entries = {}
        for kind in grammar["operand_kinds"]:
            for entry in kind.get("enumerants", []):
                self._entries[kind["kind"], entry["enumerant"]] = entry
                for name in [entry["enumerant"], *entry.get("aliases", [])]:
                    self._names[kind["kind"], name] = entry["enumerant"]

    def find(self, kind, name):
        """The enumerant that has the name, or the alias; None without."""
        return self._names.get((kind, name))

    def extension(self, built_in, name):
        """The extension that calls the built-in so: of its own, or of a capability that it needs."""
        entry = self._entries["BuiltIn", built_in]
        sources = [entry, *(self._entries["Capability", name] for name in entry.get("capabilities", []))]
        start = f"SPV_{re.search('[A-Z]+$', name)[0]}_"
        found = {e for source in sources for e in source.get("extensions", []) if e.startswith(start)}
        if len(found) != 1:
            raise ValueError(f"{name} is of {len(found)} extensions")
        return found.pop()


class _NotUnderstood(Exception):
    pass


def _count(word):
    if word not in _COUNTS:
        raise _NotUnderstood
    return _COUNTS[word]


def read_type(text):
    """The type that "a three-component vector of 32-bit floating-point values" names."""
    text = re.sub(r"^an? ", "", text)
    match = re.fullmatch(r"array of (\w+) vectors of (\w+) (.+)", text)
    if match:
        return dataclasses.replace(_scalar(match[3]), components=_count(match[2]), arrays=1, size=_count(match[1]))
    match = re.fullmatch(r"(two-dimensional )?array of (?:size (\w+), containing )?(.+)", text)
    if match:
        size = _count(match[2]) if match[2] else 0
        return dataclasses.replace(_vector(match[3]), arrays=2 if match[1] else 1, size=size)
    match = re.fullmatch(r"matrix with (\w+) columns of (.+)", text)
    return dataclasses.replace(_vector(match[2]), columns=_count(match[1])) if match else _vector(text)


def _vector(text):
    match = re.fullmatch(r"(\w+)[- ]component vectors?(?: of)? (.+)", text)
    return dataclasses.replace(_scalar(match[2]), components=_count(match[1])) if match else _scalar(text)


def _scalar(text):
    match = re.fullmatch(r"(?:scalar )?(?:(32)-bit )?(integer|floating-point|float|boolean)(?: values?)?", text)
    if not match:
        raise _NotUnderstood
    return BuiltInType(_SCALARS[match[2]], int(match[1] or 0))


class _Reader:
    """Reads the sentences of one built-in."""

    def __init__(self, built_in, names):
        self.built_in = built_in
        self.names = names

    def named(self, kind, text):
        found = [self.names.find(kind, name) for name in re.split(r",? or |, ", text)]
        if None in found:
            raise _NotUnderstood
        return list(dict.fromkeys(found))

    def operands(self, kind, text):
        return [(kind, name) for name in self.named(kind, text)]

    # One function for each form. Its arguments are the groups of the form's expression.

    def models(self, models):
        return {"kind": "Models", "models": self.named("ExecutionModel", models)}

    def storage(self, models, classes):
        return {"kind": "StorageClasses", "models": self.within(models),
                "operands": self.operands("StorageClass", classes)}

    def type(self, text, except_models):
        return {"kind": "Type", "type": read_type(text), "models": self.within(except_models),
                "excludes_models": bool(except_models)}

    def primitive_type(self, models, text, elements):
        if read_type(elements) != read_type(text):
            raise _NotUnderstood
        return {"kind": "PrimitiveType", "models": self.within(models), "type": read_type(text)}

    def any_primitive_type(self, text, elements):
        return self.primitive_type("MeshEXT", text, elements)

    def within(self, models):
        return self.named("ExecutionModel", models) if models else []

    def decoration(self, models, decoration):
        return {"kind": "Decoration", "models": self.within(models),
                "operands": self.operands("Decoration", decoration)}

    def mode(self, mode):
        return {"kind": "ExecutionMode", "operands": self.operands("ExecutionMode", mode)}

    def capabilities(self, model, capabilities):
        return {"kind": "Capabilities", "models": self.within(model),
                "operands": self.operands("Capability", capabilities)}

    def primitive_array(self, text, models):
        return {"kind": "PrimitiveCount", "models": self.within(models or "MeshEXT"), "operands": [1],
                "type": dataclasses.replace(read_type(text), arrays=1)}

    def index_array(self):
        return {"kind": "PrimitiveCount", "models": self.within("MeshEXT"), "operands": [1]}

    def index_array_of_mode(self, mode, factor):
        return {"kind": "PrimitiveCount", "models": self.within("MeshNV"),
                "operands": [_count(factor or "one"), *self.operands("ExecutionMode", mode)]}

    def primitive_block(self):
        return {"kind": "PrimitiveCountOfBlock", "models": self.within("MeshEXT")}

    def most_elements(self, size):
        return {"kind": "MostElements", "operands": [int(size)]}

    def constant(self):
        return {"kind": "Constant"}

    def constant_index(self):
        return {"kind": "ConstantIndex"}

    def only_one(self):
        return {"kind": "OnlyOne"}

    def read(self, text):
        for pattern, function in _FORMS:
            match = re.fullmatch(pattern.replace("BUILTIN", re.escape(self.built_in)), text)
            if not match:
                continue
            try:
                return function(self, *match.groups())
            except _NotUnderstood:
                return None
        return None


_WITHIN = r"(?: within the ([\w, ]+) Execution Model)?"
_VARIABLE = r"The variable decorated with BUILTIN"
_OF_PRIMITIVES = "must match the value specified by OutputPrimitivesEXT"
_FORMS = [
    (r"The BUILTIN decoration must be used only within the ([\w, ]+) Execution Model", _Reader.models),
    (_VARIABLE + _WITHIN + r" must be declared using the ([\w, ]+) Storage Class", _Reader.storage),
    (_VARIABLE + _WITHIN + r" must not be declared (?:in|using) a Storage Class other than ([\w, ]+)", _Reader.storage),
    # A pipeline decides what comes after "with".
    (_VARIABLE + r" must be declared as (.+?)(?: for all supported execution models except (\w+)| with at least as "
     r"many elements as the maximum view in the subpass\u2019s view mask plus one)?", _Reader.type),
    (_VARIABLE + r" must be a specialization constant or a constant", _Reader.constant),
    (_VARIABLE + _WITHIN + r" must also be decorated with the (\w+) decoration", _Reader.decoration),
    (r"The BUILTIN decoration must be used with the (\w+) Execution Mode", _Reader.mode),
    (r"If the shader dynamically writes to the variable decorated with BUILTIN, the (\w+) Execution Mode must be "
     r"declared", _Reader.mode),
    (r"If (\w+) Execution Model contains a variable decorated with BUILTIN, then either the ([\w, ]+) capability must "
     r"also be declared", _Reader.capabilities),
    (r"BUILTIN within the (\w+) Execution Model must decorate a (.+) member of a structure decorated as Block, or "
     r"decorate a variable of type OpTypeArray of (.+)", _Reader.primitive_type),
    (r"BUILTIN must decorate a (.+) member of a structure decorated as Block, or decorate a variable of type "
     r"OpTypeArray of (.+)", _Reader.any_primitive_type),
    (r"If BUILTIN is declared as an array of ([\w -]+),(?: within the (\w+) Execution Model,)? (?:the )?size of the "
     r"array " + _OF_PRIMITIVES, _Reader.primitive_array),
    (r"The size of the array decorated with BUILTIN " + _OF_PRIMITIVES, _Reader.index_array),
    (r"If the Execution Mode is (\w+), then the array decorated with BUILTIN must be the size of (?:(\w+) times )?the "
     r"value specified by OutputPrimitivesNV", _Reader.index_array_of_mode),
    (r"If BUILTIN decorates a member of a structure, the variable declaration of the containing Block type must have "
     r"an array size that matches the value specified by OutputPrimitivesEXT", _Reader.primitive_block),
    (r"The array decorated with BUILTIN must be a size less than or equal to (\d+)", _Reader.most_elements),
    (r"The array variable decorated with BUILTIN must only be indexed by a constant or specialization constant",
     _Reader.constant_index),
    (r"There must be only one declaration of the BUILTIN associated with a entry point\u2019s interface",
     _Reader.only_one),
]


def _corrected(vuid):
    text = vuid.text.rstrip(".")
    if vuid.id not in _CORRECTIONS:
        return text
    wrong, right = _CORRECTIONS[vuid.id]
    if wrong not in text:
        raise ValueError(f"{vuid.id} has changed: {vuid.text}")
    return text.replace(wrong, right)


def _name_extensions(rows, owners, names):
    """Sets the extensions of rows of built-ins that have two names."""
    owners_of = {}
    for row in rows:
        owners_of.setdefault(row.built_in, set()).add(owners[row.id])
    for row in rows:
        if len(owners_of[row.built_in]) > 1:
            row.extension = names.extension(row.built_in, owners[row.id])


def parse(vuids, names):
    """(rows, those of a built-in together, in the order of the ids; [(id, why there is no row)]) for all ids whose
    owner is a built-in."""
    rows, left_out = [], []
    owners = {}
    for index, vuid in enumerate(vuids):
        match = _ID.fullmatch(vuid.id)
        if not match or _OTHER_OWNER.fullmatch(match[1]):
            continue
        built_in = names.find("BuiltIn", match[1])
        if not built_in:
            left_out.append((vuid.id, "SPIR-V's grammar does not have the built-in"))
        elif vuid.id in _REFUSED:
            left_out.append((vuid.id, _REFUSED[vuid.id]))
        else:
            read = _Reader(match[1], names).read(_corrected(vuid))
            if read:
                rows.append(BuiltInRule(index, vuid.id, built_in, **read))
                owners[vuid.id] = match[1]
            else:
                left_out.append((vuid.id, vuid.text))
    _name_extensions(rows, owners, names)
    return sorted(rows, key=lambda row: (row.built_in, row.id)), sorted(left_out)
