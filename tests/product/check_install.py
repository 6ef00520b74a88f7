"""Installs the build to a fresh prefix and uses it like a stranger: file list, pkg-config, a moved prefix with
--define-prefix, find_package, and the project of examples/consumer by each of its three build files; each program is
built in a fresh folder and run without LD_LIBRARY_PATH. Then the .deb, and installing before everything is built."""

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "install"
TEMPLATE = HERE.parents[2] / "examples/consumer"
EXPECTED_OUTPUT = re.compile(r"^ctorch \d+\.\d+\.\d+, LibTorch \d+\.\d+\.\d+\S*, 1 \+ 2 \* 3 = 7$")


# What using a binding in the build folder leaves there.
LEFT_BEHIND = re.compile(
    r"(^|/)(__pycache__|build|target|node_modules|[^/]*\.egg-info|Cargo\.lock|package-lock\.json|ctorch\.jar)(/|$)"
)


def environment(**more: str) -> dict[str, str]:
    hidden = ("LD_LIBRARY_PATH", "LD_PRELOAD", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "DESTDIR")
    return {name: value for name, value in os.environ.items() if name not in hidden} | more


def run(*command: object, **more: str) -> str:
    """Standard output of a command; a failure shows everything that the command said."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=environment(**more), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"FAILED ({done.returncode}): {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def expect(condition: bool, text: str) -> None:
    if not condition:
        raise SystemExit(f"FAILED: {text}")
    print(f"ok: {text}")


def expect_program(program: Path, how: str) -> None:
    text = run(program)
    expect(bool(EXPECTED_OUTPUT.match(text)), f"{how}: {text}")


def files_under(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


def expected_files(source: Path, build: Path, version: str, libdir: str) -> set[str]:
    headers = {f"include/{path.relative_to(source / 'include')}" for path in (source / "include").rglob("*.h")}
    config = {f"{libdir}/cmake/ctorch/{name}" for name in ("ctorchConfig.cmake", "ctorchConfigVersion.cmake")}
    targets = {f"{libdir}/cmake/ctorch/ctorchTargets{part}.cmake" for part in ("", "-<configuration>")}
    major = version.split(".")[0]
    library = {f"{libdir}/libctorch.so{suffix}" for suffix in ("", f".{major}", f".{version}")}
    words = {f"{libdir}/libspl_ctorch.so", "include/rt_ctorch.h"}
    share = {"share/ctorch/api.json", "share/ctorch/ctorch.cdef.h", "share/ctorch/ctorch.i"}
    tracked = ["git", "-C", source, "ls-files", "docs", "examples"]
    listed = subprocess.run(tracked, capture_output=True, text=True, check=False)
    folders = [f"{folder}/{file}" for folder in ("docs", "examples") for file in files_under(source / folder)]
    files = ("LICENSE", "README.md", *(listed.stdout.split() or folders))
    documents = {f"share/doc/ctorch/{file}" for file in files if file != "examples/run"}
    emitted = {file for file in files_under(build / "generated") if file.startswith("bindings/")}
    bindings = {f"share/ctorch/{file}" for file in emitted if not LEFT_BEHIND.search(file)}
    completions = {"share/bash-completion/completions/ctorch", "share/zsh/site-functions/_ctorch"}
    tool = {"bin/ctorch", "share/man/man1/ctorch.1", *completions} if (build / "ctorch").exists() else set()
    return (
        headers
        | config
        | targets
        | library
        | words
        | share
        | documents
        | bindings
        | tool
        | {f"{libdir}/pkgconfig/ctorch.pc"}
    )


def without_configuration(files: set[str]) -> set[str]:
    return {re.sub(r"(ctorchTargets)-\w+\.cmake$", r"\1-<configuration>.cmake", file) for file in files}


def build_without(build: Path, library: str, scratch: Path, alone: bool = False) -> Path:
    """A build folder like this one in which a library, with all its names or alone, is not built yet."""
    folder = scratch / f"without_{library}"
    folder.mkdir()
    for entry in build.iterdir():
        is_left_out = entry.name == library if alone else entry.name.startswith(library)
        if not is_left_out and entry.name != "cmake_install.cmake":
            (folder / entry.name).symlink_to(entry)
    script = (build / "cmake_install.cmake").read_text()
    (folder / "cmake_install.cmake").write_text(script.replace(str(build), str(folder)))
    return folder


def check_without_tool(build: Path, scratch: Path, expected: set[str]) -> None:
    """As examples/run leaves a build: without the tool, whose page and completions are then of no use."""
    if not (build / "ctorch").exists():
        print("skipped: an install without the tool (it is not built)")
        return
    partial = build_without(build, "ctorch", scratch, alone=True)
    run("cmake", "--install", partial, "--prefix", scratch / "without_tool")
    missing = expected - without_configuration(files_under(scratch / "without_tool"))
    left_out = {"bin/ctorch", "share/man/man1/ctorch.1"}
    left_out |= {"share/bash-completion/completions/ctorch", "share/zsh/site-functions/_ctorch"}
    expect(missing == left_out, f"without the tool its page and completions are left out: {missing}")


def check_build_folder(build: Path, scratch: Path) -> None:
    """ctorch.pc of the build folder, by which Rust, Go and C use a build that is not installed."""
    folder = scratch / "of_build"
    folder.mkdir()
    shutil.copy(TEMPLATE / "consumer.c", folder)
    flags = run("pkg-config", "--cflags", "--libs", "ctorch", PKG_CONFIG_PATH=str(build))
    run(os.environ.get("CC", "cc"), folder / "consumer.c", "-o", folder / "consumer", *flags.split())
    expect_program(folder / "consumer", "pkg-config of the build folder")
    api = run("pkg-config", "--variable=api", "ctorch", PKG_CONFIG_PATH=str(build))
    expect(Path(api).is_file(), "pkg-config of the build folder finds api.json")


def check_parts(build: Path, scratch: Path, expected: set[str], libdir: str) -> None:
    """Installing what examples/run has built, and what nothing has built."""
    partial = build_without(build, "libspl_ctorch.so", scratch)
    said = run("cmake", "--install", partial, "--prefix", scratch / "partial")
    line = f"Left out: libspl_ctorch.so, which is not built yet; cmake --build {partial} builds it"
    expect(line in said, f"without libspl_ctorch.so: {line}")
    installed = without_configuration(files_under(scratch / "partial"))
    missing = expected - installed
    expect(missing == {f"{libdir}/libspl_ctorch.so"} and installed <= expected, f"the rest is installed, not {missing}")
    empty = build_without(build, "libctorch.so", scratch)
    command = ["cmake", "--install", str(empty), "--prefix", str(scratch / "empty")]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    expect(
        done.returncode != 0 and f"run cmake --build {empty}" in " ".join(done.stderr.split()),
        f"before the first build: {' '.join(done.stderr.split())}",
    )


def build_with_pkg_config(folder: Path, libdir: Path, *options: str) -> Path:
    folder.mkdir()
    shutil.copy(TEMPLATE / "consumer.c", folder)
    flags = run("pkg-config", *options, "--cflags", "--libs", "ctorch", PKG_CONFIG_PATH=str(libdir / "pkgconfig"))
    expect("torch_cpu" not in flags, f"pkg-config {' '.join(options)} names no LibTorch: {flags}")
    run(
        os.environ.get("CC", "cc"),
        "-Wall",
        "-Wextra",
        "-Werror",
        folder / "consumer.c",
        "-o",
        folder / "consumer",
        *flags.split(),
    )
    return folder / "consumer"


def check_template(scratch: Path, prefix: Path, libdir: Path) -> None:
    """examples/consumer, copied as its README says, built by make, CMake and Meson."""
    path = str(libdir / "pkgconfig")

    def copy(name: str) -> Path:
        return Path(shutil.copytree(TEMPLATE, scratch / name))

    if shutil.which("make"):
        folder = copy("template_make")
        run("make", "-C", folder, PKG_CONFIG_PATH=path, CFLAGS="-O2 -Wall -Wextra -Werror")
        expect_program(folder / "consumer", "template by make")
        run("make", "-C", folder, "clean", PKG_CONFIG_PATH=path)
        expect(not (folder / "consumer").exists(), "template by make: clean")
        refused = subprocess.run(
            ["make", "-C", str(folder)],
            env=environment(PKG_CONFIG_LIBDIR="/"),
            capture_output=True,
            text=True,
            check=False,
        )
        expect(
            refused.returncode != 0 and "PKG_CONFIG_PATH" in refused.stderr,
            f"template by make without ctorch: {refused.stderr.splitlines()[0]}",
        )
    else:
        print("skipped: the template by make (apt install make)")

    folder = copy("template_cmake")
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", CFLAGS="-Werror")
    run("cmake", "--build", folder / "build")
    expect_program(folder / "build/consumer", "template by CMake")

    meson = meson_command()
    if meson and shutil.which("ninja"):
        folder = copy("template_meson")
        run(*meson, "setup", folder / "build", folder, "--werror", f"-Dpkg_config_path={path}")
        run(*meson, "compile", "-C", folder / "build")
        expect_program(folder / "build/consumer", "template by Meson")
    else:
        print("skipped: the template by Meson (pip install meson, apt install ninja-build)")


def meson_command() -> list[str]:
    """Meson of this Python, else the one on PATH; empty if there is none."""
    if importlib.util.find_spec("mesonbuild"):
        return [sys.executable, "-m", "mesonbuild.mesonmain"]
    found = shutil.which("meson")
    return [found] if found else []


def check_package(build: Path, scratch: Path, expected: set[str]) -> None:
    """The .deb: control fields, and the same files under /usr."""
    if not shutil.which("dpkg-deb"):
        print("skipped: the .deb (no dpkg-deb)")
        return
    run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", scratch / "deb")
    (package,) = (scratch / "deb").glob("*.deb")
    control = dict(line.split(": ", 1) for line in run("dpkg-deb", "-f", package).splitlines() if ": " in line)
    expect(control["Package"] == "ctorch", f".deb: {package.name}")
    expect(control["Architecture"] == run("dpkg", "--print-architecture"), f".deb for {control['Architecture']}")
    expect("libc6" in control["Depends"], f".deb depends on {control['Depends']}")
    run("dpkg-deb", "-x", package, scratch / "unpacked")
    text = (scratch / "unpacked/usr/lib/pkgconfig/ctorch.pc").read_text()
    expect("-rpath" not in text, ".deb: ctorch.pc adds no run path for a folder that the loader searches")
    packed = without_configuration(files_under(scratch / "unpacked" / "usr"))
    expect(
        packed == expected,
        f".deb holds the {len(expected)} installed files under /usr; differing: {sorted(packed ^ expected)}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--libdir", default="lib")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        prefix = scratch / "prefix"
        used = arguments.build / "generated/bindings/used"
        for leftover in ("build/lib", "ctorch.egg-info", "ctorch/__pycache__"):
            (used / leftover).mkdir(parents=True, exist_ok=True)
            (used / leftover / "left_behind").touch()
        run("cmake", "--install", arguments.build, "--prefix", prefix)
        shutil.rmtree(used)
        expected = expected_files(arguments.source, arguments.build, arguments.version, arguments.libdir)
        installed = without_configuration(files_under(prefix))
        expect(installed == expected, f"{len(expected)} files installed; differing: {sorted(installed ^ expected)}")
        check_parts(arguments.build, scratch, expected, arguments.libdir)
        check_without_tool(arguments.build, scratch, expected)
        check_build_folder(arguments.build, scratch)
        functions = json.loads((prefix / "share/ctorch/api.json").read_text())["functions"]
        expect(len(functions) > 0, f"api.json lists {len(functions)} functions")
        libdir = prefix / arguments.libdir
        version = run("pkg-config", "--modversion", "ctorch", PKG_CONFIG_PATH=str(libdir / "pkgconfig"))
        expect(version == arguments.version, f"pkg-config gives version {version}")

        expect_program(build_with_pkg_config(scratch / "by_pkg_config", libdir), "pkg-config")

        # find_package, against the moved prefix: nothing may remember where the tree was.
        moved = scratch / "elsewhere" / "ctorch"
        moved.parent.mkdir()
        prefix.rename(moved)
        libdir = moved / arguments.libdir
        expect_program(
            build_with_pkg_config(scratch / "by_moved", libdir, "--define-prefix"), "pkg-config --define-prefix"
        )
        run("cmake", "-S", HERE, "-B", scratch / "by_cmake", f"-DCMAKE_PREFIX_PATH={moved}")
        run("cmake", "--build", scratch / "by_cmake")
        expect_program(scratch / "by_cmake" / "consumer", "find_package")
        check_template(scratch, moved, libdir)
        texts = [path for path in moved.rglob("*") if path.suffix in (".pc", ".cmake")]
        expect(not [t for t in texts if str(prefix) in t.read_text()], "no installed text names the old prefix")

        check_package(arguments.build, scratch, expected)


if __name__ == "__main__":
    sys.exit(main())
