# Runs a command in a container.
#
# $1 is a file with what the container's shell does, $2 the files to write to in order to join its
# cgroups, $3 the options of nsenter, $4 the container's shell, and $5 a terminal, or nothing. The
# program that installs the container's filter of system calls, if it has one, is descriptor 5.

filter=${1%/*}/filter
[ -e "$filter" ] || filter=/dev/null
exec 9<"$1" 5<"$filter"
for file in $2; do
  echo 0 >"$file" || exit 125
done
if [ -n "$5" ]; then
  # This shell leads a session that has no terminal yet, so the first that it opens becomes its own.
  # Who made it closes it then.
  exec 8>&1 <"$5" >"$5" 2>&1
  echo opened >&8
  exec 8>&-
fi
exec nsenter $3 -- $4 /proc/self/fd/9
