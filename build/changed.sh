# Which modules' tests a change can affect, read from the poms. Sourced by ./test, which sets $root.

modules() { sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/pom.xml"; }

# needs MODULE: the modules that it depends on, for its code or its tests.
needs() { grep -A1 '<groupId>dev.berth</groupId>' "$root/$1/pom.xml" | sed -n 's:.*<artifactId>\(.*\)</artifactId>.*:\1:p'; }

# with_dependents MODULE...: these, and all that depend on them.
with_dependents() {
  local found=" $* " before='' module needed
  while [ "$found" != "$before" ]; do
    before=$found
    for module in $(modules); do
      [[ $found != *" $module "* ]] || continue
      for needed in $(needs "$module"); do
        [[ $found != *" $needed "* ]] || { found+="$module "; break; }
      done
    done
  done
  echo $found
}

# The files that differ from the last commit that this branch shares with main's upstream, committed or not.
changed_files() {
  local upstream base
  upstream=$(git -C "$root" rev-parse -q --verify 'main@{upstream}' 2>/dev/null || git -C "$root" rev-parse -q --verify origin/main)
  base=$(git -C "$root" merge-base HEAD "${upstream:-HEAD}") ||
    die "./test --changed asks git what changed, and git cannot tell: is this a clone?" 3
  git -C "$root" diff --name-only --no-renames "$base"
  git -C "$root" ls-files --others --exclude-standard
}

# touched: reads names of files, prints the modules whose files they are; "all" for what every module is built with, and "documents".
touched() {
  local file module
  while IFS= read -r file; do
    case $file in
      '') ;;
      */src/*) echo "${file%%/src/*}" ;;
      *.md | docs/* | LICENSE) echo documents ;;
      pom.xml | */pom.xml | build/*) echo all ;;
      */*)
        module=${file%%/*}
        if modules | grep -qx "$module"; then echo "$module"; else echo all; fi ;;
      *) echo all ;;
    esac
  done | sort -u
}

# The modules with tests of documents, which have the tag "documents".
document_modules() { (cd "$root" && grep -rl --include='*.java' '@Tag("documents")' ./*/src/test) | cut -d/ -f2 | sort -u; }

# choose_changed: reads names of files; sets $affected to the modules that they can affect, and $selection to what Maven is to be told
# so that it runs the tests of those.
choose_changed() {
  local touched module
  touched=$(touched)
  affected=$(modules) selection=()
  rm -f "$root"/*/target/unaffected
  [[ -n $touched ]] || die "Nothing changed, so there is nothing to test." 0
  ! grep -qx all <<<"$touched" || return 0
  if [[ $touched = documents ]]; then
    affected=$(document_modules)
    selection=(-Dgroups=documents)
  else
    # shellcheck disable=SC2046 # a word for each module
    affected=$(with_dependents $(grep -vx documents <<<"$touched"))
    ! grep -qx documents <<<"$touched" || affected+=" $(document_modules)"
  fi
  for module in $(modules); do
    grep -qwF -- "$module" <<<"${affected//[[:space:]]/$'\n'}" && continue
    mkdir -p "$root/$module/target" && touch "$root/$module/target/unaffected"
  done
  say "Modules that the change can affect: ${affected//$'\n'/ }"
  selection+=(-Dchanged -am -pl "$(tr -s '[:space:]' , <<<"${affected}" | sed 's/,$//')")
}
