# Makes Berth's distribution: a folder with a JDK, jars and an AOT cache that runs without anything else. Sourced after toolchain.sh.
# `./berth` runs the one in target/berth; `./berth build` makes that one anew and packs it.

dist=$root/target/berth
built=$root/target/built # as old as the start of the last build, so that a change made meanwhile is not missed

# The operating system and processor, in the words of SQLite's jar.
platform() {
  case $(uname -s)/$(uname -m) in
    Linux/x86_64) echo Linux/x86_64 ;;
    Linux/aarch64) echo Linux/aarch64 ;;
    Darwin/arm64) echo Mac/aarch64 ;;
    Darwin/x86_64) echo Mac/x86_64 ;;
    *) die "Berth is built on Linux and macOS, for x86_64 and aarch64; this is $(uname -s) on $(uname -m)." 3 ;;
  esac
}

# Compiles what changed, without tests and checks, and collects the jars in build/target/lib. The module grpc and its libraries are on no class
# path, and in folders of their own: build/target/grpc and grpc/target/lib.
make_jars() {
  run_maven build generate-test-sources -Dquick -Ddistribution -T1C -pl build -am
}

# assemble FOLDER: puts the jars into a distribution. Its AOT caches go, because the JVM does not notice that they are of other jars.
# Nothing is overwritten in place, since a Berth may be running from it.
assemble() {
  rm -rf "$1/lib" "$1/bin" "$1/manifests"
  mkdir -p "$1/lib/native" "$1/lib/grpc" "$1/manifests"
  cp "$root"/build/target/lib/*.jar "$1/lib" &&
    cp "$root"/build/target/grpc/*.jar "$root"/grpc/target/lib/*.jar "$1/lib/grpc" &&
    cp "$root/build/target/native/org/sqlite/native/$(platform)"/* "$1/lib/native" &&
    cp "$root"/controllers/src/main/resources/dev/berth/controllers/nodedrain/*.yaml "$1/manifests" &&
    cp -R "$root"/build/src/main/dist/. "$root/LICENSE" "$1"
}

# link_jdk FOLDER: gives a distribution a JDK of its own, with no more than the modules that its jars use, and those for looking into a
# running Berth (flight recorder, thread dumps, heap dumps).
link_jdk() {
  local modules log=$root/target/jlink.log
  rm -rf "$1/jdk"
  # Jetty has a class about windows on screens, which nothing here calls.
  modules=$("$JAVA_HOME/bin/jdeps" --print-module-deps --ignore-missing-deps --multi-release "$need_java" "$1"/lib/*.jar "$1"/lib/grpc/*.jar 2>"$log") &&
    modules=$(printf '%s' "$modules" | sed 's/java.desktop,//') &&
    "$JAVA_HOME/bin/jlink" --add-modules "$modules,java.logging,jdk.jcmd,jdk.jfr,jdk.management" \
      --no-header-files --no-man-pages --output "$1/jdk" >>"$log" 2>&1 ||
    die "The JDK in $JAVA_HOME could not be trimmed for Berth; all that jdeps and jlink said is in target/jlink.log."
}

# train FOLDER: runs Berth twice while the JVM notes which classes and methods it needs, and keeps the notes as AOT caches: one of a server, and
# one of the commands that foresee, each of which ends before a server would be warm.
train() {
  local stage log=$root/target/training.log
  stage=$(mktemp -d) || exit 1
  { rehearse_with_node "$1" "$stage" >"$log" 2>&1 || rehearse "$1" "$stage" >>"$log" 2>&1; } &&
    rehearse_foresight "$1" "$stage" >>"$log" 2>&1 ||
    say "Starts will take longer than they need to: an AOT cache could not be made, see target/training.log."
  rm -rf "$stage"
}

# rehearse FOLDER STAGE [node] [PREFIX...]: the same in an empty folder, by a command that the rest begins.
rehearse() {
  local folder=$1 stage=$2 with=${3:-}
  shift $(($# < 3 ? $# : 3))
  mkdir -p "$stage/run" &&
    (cd "$stage" && BERTH_JAVA_OPTS=-XX:AOTCacheOutput=berth.aot BERTH_MAIN=dev.berth.cli.Rehearsal "$@" "$folder/bin/berth" "$stage/run" $with) &&
    mv "$stage/berth.aot" "$folder/lib/berth.aot"
}

# rehearse_with_node FOLDER STAGE: with this machine as a node, whose network and mounts are nobody else's. It fails where that cannot be.
rehearse_with_node() {
  local status
  [ "$(id -u)" = 0 ] && unshare --net --mount ip link set lo up 2>/dev/null || return 1
  rehearse "$1" "$2" node unshare --net --mount sh -c 'ip link set lo up && exec "$@"' sh
  status=$?
  "$1/bin/berth" reset --data "$2/run/data"
  rm -rf "$2/run"
  return "$status"
}

# rehearse_foresight FOLDER STAGE: the commands that foresee, beside a server that they can ask.
rehearse_foresight() {
  local status data=$2/foreseen
  "$1/bin/berth" up --wait --ephemeral --port=0 --bind-address=127.0.0.1 --hollow=20 --no-node --data="$data" &&
    mkdir "$2/foresight" &&
    (cd "$2" && BERTH_JAVA_OPTS=-XX:AOTCacheOutput=foresight.aot BERTH_MAIN=dev.berth.cli.RehearsedForesight "$1/bin/berth" "$2/foresight" "$data") &&
    mv "$2/foresight.aot" "$1/lib/foresight.aot"
  status=$?
  "$1/bin/berth" down --ignore-not-found --data="$data"
  return "$status"
}

# make_distribution FOLDER: all of it, from the jars that there are.
make_distribution() {
  mkdir -p "$root/target"
  assemble "$1" || exit 1
  say "  a JDK for it"
  link_jdk "$1"
  say "  AOT caches for it"
  train "$1"
}

# Packs the distribution; says where it is.
pack() {
  local platform archive
  platform=$(platform) || exit
  archive=target/berth-$(printf '%s' "$platform" | tr 'A-Z/' 'a-z-').tar.gz
  say "  $archive"
  tar -C "$root/target" -czf "$root/$archive" berth || die "$archive could not be written."
}

up_to_date() {
  [ -e "$built" ] &&
    [ -z "$(cd "$root" && find pom.xml build/*.sh ./*/pom.xml ./*/src/main -newer "$built" -print -quit 2>/dev/null)" ]
}

# build: makes target/berth what the sources say. The first time it makes all of it; after a change it makes the jars alone, and
# Berth starts without an AOT cache. `build anew` makes all of it, changed or not.
build() {
  [ "${1:-}" = anew ] || ! up_to_date || return 0
  find_jdk
  find_maven
  mkdir -p "$root/target"
  exec 9>"$root/target/lock"
  # Two commands started at once must not build into the same folders.
  if command -v flock >/dev/null; then flock 9; fi
  if [ "${1:-}" = anew ] || ! up_to_date; then
    touch "$root/target/started"
    # A jar that a pom no longer asks for would stay.
    [ -z "$(find "$root"/pom.xml "$root"/*/pom.xml -newer "$built" 2>&1)" ] || rm -rf "$root/build/target" "$root/grpc/target/lib"
    if [ "${1:-}" = anew ] || [ ! -e "$built" ]; then
      rm -f "$built"
      say "Building Berth:"
      make_jars || exit 1
      make_distribution "$dist"
    else
      say "Building Berth again, since something changed:"
      make_jars && assemble "$dist" || exit 1
    fi
    mv "$root/target/started" "$built"
  fi
  exec 9>&-
}
