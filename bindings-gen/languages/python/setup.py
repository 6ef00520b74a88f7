"""A wheel of this package with libctorch in it.

CTORCH_LIBRARY names the library to put in; a relative path is looked up in the folder where pip was started. Without
it that is the library of the build this package lies in. The wheel is tagged for the platform, but for no version of
Python: nothing in it is compiled against Python. What is made on the way lies in a temporary folder, so that this one
stays as it is: it may be an installed one.
"""

import atexit
import os
import re
import shutil
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent


def library() -> Path:
    # <build>/generated/bindings/python is this folder
    named = Path(os.environ.get("CTORCH_LIBRARY") or HERE.parents[2] / "libctorch.so.0")
    # pip runs this file in its own folder; the shell's PWD is the one that the command was given in.
    for folder in (Path.cwd(), Path(os.environ.get("PWD", ""))):
        if (folder / named).is_file():
            return folder / named
    raise SystemExit(f"setup.py: {named} is not there; CTORCH_LIBRARY names libctorch.so, best by its full path")


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        target = Path(self.build_lib) / "ctorch" / "libctorch.so.0"
        shutil.copyfile(library(), target)
        target.chmod(0o755)


class PlatformWheel(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", super().get_tag()[2])


class BinaryDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


scratch = tempfile.mkdtemp(prefix="ctorch-wheel-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)

setup(
    version=re.search(r'VERSION = "(.+)"', (HERE / "ctorch/version.py").read_text())[1],
    distclass=BinaryDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
