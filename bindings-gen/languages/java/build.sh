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
version=$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')
quick="-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC" # a third of the time: javac is over before C2 pays

# compile_foreign DIR FOLDER...: sources for java.lang.foreign
compile_foreign() {
  classes=$1
  shift
  mkdir -p "$classes"
  find "$@" -name '*.java' > "$out/sources"
  if [ "$version" -ge 22 ]; then
    # shellcheck disable=SC2086
    javac $quick -nowarn -Xlint:none -proc:none -d "$classes" "@$out/sources"
  else
    JAVA_ARGS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" \
      ecj -nowarn -proc:none --system "$JAVA_22" -source 17 -target 17 -d "$classes" "@$out/sources"
  fi
}

rm -rf "$out/classes" "$out/versions"
mkdir -p "$out/classes" "$out/versions"
printf 'Multi-Release: true\nEnable-Native-Access: ALL-UNNAMED\n' > "$out/manifest"
foreign=$([ "$version" -ge 22 ] || [ -n "${JAVA_22:-}" ] && echo yes || echo no)
if [ -f "$jna" ]; then
  find "$here/src" "$here/jna" -name '*.java' > "$out/sources"
  # shellcheck disable=SC2086
  javac $quick -nowarn -Xlint:none -proc:none --release 17 -cp "$jna" -d "$out/classes" "@$out/sources"
  [ "$foreign" = no ] || # only org.ctorch.raw differs
    compile_foreign "$out/versions/META-INF/versions/22" "$here/src/org/ctorch/raw" "$here/panama"
elif [ "$foreign" = yes ]; then
  compile_foreign "$out/classes" "$here/src" "$here/panama"
else
  echo "build.sh: neither $jna nor a Java of version 22 or later is there" >&2
  exit 1
fi
jar --create --file "$out/ctorch.jar" --manifest "$out/manifest" -C "$out/classes" .
[ ! -d "$out/versions/META-INF" ] || jar --update --file "$out/ctorch.jar" -C "$out/versions" META-INF
