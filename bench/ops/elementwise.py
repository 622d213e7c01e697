# SPDX-License-Identifier: MIT
"""The elementwise functions in each library, with new results and written into `out`."""

# By name: NumPy's, polars' or None, what float32 and float64 are called in inputs.py, and which
# dtypes besides. All of PyTorch's are called as ours.
OF = {"any": ("f", "g"), "unit": ("x", "d")}
UNARY = """
neg negative - any int64
abs absolute abs any int64
sign sign sign any int64
square square - any int64
reciprocal reciprocal - unit
floor floor floor any int64
ceil ceil ceil any
round rint round any
trunc trunc truncate any
frac - - any
sqrt sqrt sqrt unit int64
exp exp exp any int64
exp2 exp2 - any
expm1 expm1 - any
log log log unit int64
log2 log2 - unit
log10 log10 log10 unit
log1p log1p log1p unit
sin sin sin any
cos cos cos any
tan tan tan any
asin arcsin arcsin unit
acos arccos arccos unit
atan arctan arctan any
sinh sinh sinh any
cosh cosh cosh any
tanh tanh tanh any
"""
POLARS = {"neg": "-{a}", "square": "{a} * {a}", "reciprocal": "1 / {a}", "log2": "{a}.log(2)",
          "round": "{a}.round(mode='half_to_even')"}

# By name the operands of float32 and float64, then our call, NumPy's, PyTorch's and polars'; {out}
# is where `out` goes.
BINARY = {
    "atan2": (("x y", "d h"), "{a}:atan2({b}{out})", "np.arctan2({a}, {b}{out})",
              "torch.atan2({a}, {b}{out})"),
    "hypot": (("x y", "d h"), "{a}:hypot({b}{out})", "np.hypot({a}, {b}{out})",
              "torch.hypot({a}, {b}{out})"),
    "pow": (("x y", "d h"), "{a}:pow({b}{out})", "np.power({a}, {b}{out})",
            "torch.pow({a}, {b}{out})", "{a} ** {b}"),
    "fmod": (("f y", "g h"), "{a}:fmod({b}{out})", "np.fmod({a}, {b}{out})",
             "torch.fmod({a}, {b}{out})"),
    "remainder": (("f y", "g h"), "{a}:remainder({b}{out})", "np.remainder({a}, {b}{out})",
                  "torch.remainder({a}, {b}{out})"),
    "floor_divide": (("f y", "g h"), "{a}:floor_divide({b}{out})",
                     "np.floor_divide({a}, {b}{out})", "torch.floor_divide({a}, {b}{out})",
                     "{a} // {b}"),
}
# The same of int64, by a number and by another element.
INTEGERS = {
    "fmod": ("{a}:fmod({b}{out})", "np.fmod({a}, {b}{out})", "torch.fmod({a}, {b}{out})"),
    "remainder": ("{a}:remainder({b}{out})", "np.remainder({a}, {b}{out})",
                  "torch.remainder({a}, {b}{out})", "{a} % {b}"),
    "floor_divide": ("{a}:floor_divide({b}{out})", "np.floor_divide({a}, {b}{out})",
                     "torch.floor_divide({a}, {b}{out})", "{a} // {b}"),
    "lshift": ("{a}:lshift({b}{out})", "np.left_shift({a}, {b}{out})",
               "torch.bitwise_left_shift({a}, {b}{out})"),
    "rshift": ("{a}:rshift({b}{out})", "np.right_shift({a}, {b}{out})",
               "torch.bitwise_right_shift({a}, {b}{out})"),
}

LIBM = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
        "acos", "atan", "sinh", "cosh", "tanh", "atan2", "hypot", "pow"}




def unary_forms(name, numpy, polars):
    """A function's four calls; {a} is what it is called on, {out} where `out` goes."""
    return ("{a}:" + name + "({out})", None if numpy == "-" else "np." + numpy + "({a}{out})",
            "torch." + name + "({a}{out})",
            POLARS.get(name) or (None if polars == "-" else "{a}." + polars + "()"))


def filled(forms, **names):
    """The calls with new results, and those into `out`, which polars has not."""
    def fill(form, out):
        text = form and form.format(out=out, **names)
        return text and text.replace("(, ", "(")
    kept = names["into"]
    return (tuple(fill(form, "") for form in forms),
            (fill(forms[0], f", {{out = {kept}}}"),
             *(fill(form, f", out={kept}") for form in forms[1:3])))


def calls():
    """By name, as CALLS in cases.py has them."""
    found = {}

    def add(title, forms, **names):
        found[title], found[title + " out"] = filled(forms, **names)
    for line in UNARY.strip().split("\n"):
        name, numpy, polars, of, *more = line.split()
        forms = unary_forms(name, numpy, polars)
        add(name, forms, a=OF[of][0], into="ox")
        add(name + " float64", forms, a=OF[of][1], into="od")
        if more:
            add(name + " int64", forms, a="i", into="od" if name in LIBM | {"sqrt"} else "oi")
    for name, (operands, *forms) in BINARY.items():
        for suffix, pair, into in zip(("", " float64"), operands, ("ox", "od")):
            add(name + suffix, forms, a=pair[0], b=pair[2], into=into)
    for name, forms in INTEGERS.items():
        add(name + " int64 number", forms, a="i", b="7", into="oi")
        add(name + " int64", forms, a="e", b="b" if "shift" in name else "u", into="oi")
    return found
