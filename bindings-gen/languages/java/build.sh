#!/bin/sh
# build.sh [DIR]: compile the binding to DIR/ctorch.jar (default: build).
#
# The jar calls C through JNA, and on a JVM of version 22 or later through java.lang.foreign, as far as what is installed
# can compile them: JNA_JAR (default /usr/share/java/jna.jar) for the one; for the other a `javac` of version 22 or later,
# or a Java runtime of that kind in JAVA_22 (its folder) together with Eclipse's compiler `ecj`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build}
jna=${JNA_JAR:-/usr/share/java/jna.jar}
sources=$(find "$here/src" -name '*.java')
version=$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')

rm -rf "$out/jna" "$out/panama"
mkdir -p "$out/jna" "$out/panama"
if [ -f "$jna" ]; then
  # shellcheck disable=SC2086
  javac -nowarn -Xlint:none -proc:none --release 17 -cp "$jna" -d "$out/jna" $sources $(find "$here/jna" -name '*.java')
fi
foreign=$(find "$here/panama" -name '*.java')
if [ "$version" -ge 22 ]; then
  # shellcheck disable=SC2086
  javac -nowarn -Xlint:none -proc:none -d "$out/panama" $sources $foreign
elif [ -n "${JAVA_22:-}" ]; then
  # shellcheck disable=SC2086
  ecj -nowarn -proc:none --system "$JAVA_22" -source 17 -target 17 -d "$out/panama" $sources $foreign
fi
printf 'Multi-Release: true\nEnable-Native-Access: ALL-UNNAMED\n' > "$out/manifest"
# What the two have in common lies in the jar once: only org.ctorch.raw differs.
if [ -f "$jna" ]; then
  jar --create --file "$out/ctorch.jar" --manifest "$out/manifest" -C "$out/jna" .
  [ ! -d "$out/panama/org" ] || jar --update --file "$out/ctorch.jar" --release 22 -C "$out/panama" org/ctorch/raw
elif [ -d "$out/panama/org" ]; then
  jar --create --file "$out/ctorch.jar" --manifest "$out/manifest" -C "$out/panama" .
else
  echo "build.sh: neither $jna nor a Java of version 22 or later is there" >&2
  exit 1
fi
