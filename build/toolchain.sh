# Finds and runs what Berth is built with. Sourced by ./berth, ./test and bench/run, which set $root.

need_java=25

say() { printf '%s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

# The major version of the JDK in a folder, read from its release file because starting one to ask is slow.
jdk_version() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() {
  local on_path='' candidate version
  on_path=$(command -v javac) && on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/*/*jdk* \
      "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.asdf/installs/java/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] && [ -d "$candidate" ] || continue
    version=$(jdk_version "$candidate")
    if [ -n "$version" ] && [ "$version" -ge "$need_java" ]; then
      export JAVA_HOME=$candidate
      return 0
    fi
  done
  die "Berth needs a JDK $need_java or later, and none is in JAVA_HOME, on the PATH or in /usr/lib/jvm: install one (Debian: apt-get install openjdk-$need_java-jdk, or the package temurin-$need_java-jdk), or point JAVA_HOME at one." 3
}

find_maven() {
  command -v mvn >/dev/null || die "Berth is built with Maven, and there is no mvn on the PATH: install it (Debian: apt-get install maven)." 3
  # Maven's own libraries use what newer JDKs warn about; the warnings are not about Berth.
  export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
}

# install_package PACKAGE WHY: installs a Debian package when root; otherwise leaves it to the caller to notice.
install_package() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing the Debian package $1, for $2"
    { [ "${packages_are_listed:-}" ] || apt-get update -q; } >/dev/null 2>&1 && packages_are_listed=yes
    apt-get install -qy --no-install-recommends "$1" >/dev/null 2>&1
  fi
}

# need PROGRAM PACKAGE: makes sure that a program is there, installing its Debian package when root.
need() {
  command -v "$1" >/dev/null && return 0
  install_package "$2" "its program $1"
  command -v "$1" >/dev/null || die "The tests need the program $1: install it (Debian: apt-get install $2)." 3
}

# need_unpacked FILE PACKAGE: makes sure that a file of a Debian package is in target/PACKAGE, beside whatever is installed.
need_unpacked() {
  local folder=$root/target/$2
  [ -e "$folder/$1" ] && return 0
  say "unpacking the Debian package $2 into target/$2, for the tests"
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && { apt-get download "$2" || { apt-get update -q && apt-get download "$2"; }; } && dpkg-deb -x ./*.deb .) >/dev/null 2>&1
  [ -e "$folder/$1" ] || die "The tests need $1 of Debian's package $2 in $folder: unpack it there (apt-get download $2; dpkg-deb -x $2_*.deb $folder)." 3
}

# need_python MODULE PACKAGE: the same for a module of Debian's Python, which need not be the first on the PATH.
need_python() {
  /usr/bin/python3 -c "import $1" 2>/dev/null && return 0
  install_package "$2" "its Python module $1"
  /usr/bin/python3 -c "import $1" 2>/dev/null || die "The tests need the Python module $1 for /usr/bin/python3: install it (Debian: apt-get install $2)." 3
}

# Shows what Maven is at, a line per module, test class and group of downloads, instead of all it says.
# In the shell, because an awk that reads a pipe may wait for a whole block of it.
progress() {
  local line fetched=0
  while IFS= read -r line; do
    case $line in
      '[INFO] Building Berth '[a-z]*)
        line=${line#'[INFO] Building Berth '}
        say "  ${line%% *}" ;;
      *'Downloaded from '*)
        fetched=$((fetched + 1))
        [ $((fetched % 50)) != 0 ] || say "  ($fetched files fetched so far)" ;;
      '[INFO] Tests run: '*' in dev.berth.'*)
        line=${line#'[INFO] '}
        say "    ${line/, Failures: 0, Errors: 0, Skipped: 0/}" ;;
      '[ERROR] ' | '[ERROR]' | '[ERROR] '*'-> [Help'* | '[ERROR] [Help'*) ;;
      '[ERROR] To see the full'* | '[ERROR] Re-run Maven'* | '[ERROR] For more information'*) ;;
      '[ERROR] After correcting'* | '[ERROR]   mvn '*) ;;
      '[ERROR]'* | '[WARNING]'*.java:*) say "$line" ;;
    esac
  done
}

# Runs Maven with progress on the terminal and everything in a log.
run_maven() {
  local log=$root/target/$1.log; shift
  mkdir -p "$root/target"
  (cd "$root" && set -o pipefail && mvn -B "$@" 2>&1 | tee "$log" | progress) && return 0
  say "Maven failed; all it said is in ${log#"$root"/}."
  return 1
}

# Prints what each failed test said and why, without its stack trace, for whoever sees this output alone.
failures() {
  cat "$root"/*/target/surefire-reports/*.txt 2>/dev/null | awk '
    / <<< (FAILURE|ERROR)!$/ { left = 20 }
    /^Caused by: / { left = 4 }
    /^\tat / || /^---/ { left = 0 }
    left-- > 0 { print "    " $0 }'
}
