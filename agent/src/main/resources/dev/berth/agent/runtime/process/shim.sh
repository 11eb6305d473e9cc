# Holds on to one container, whether or not there is an agent: starts it, waits for its end, writes
# down how it ended, and keeps what it wrote until an agent has read that.
#
# $1 is the container's directory, with these files:
#   launch     made by the agent: shell variables that say how to start it
#   run        made by the agent: what the container's shell does before it becomes the command
#   shim       this shell's number and start time: who makes this file owns the container
#   errors     what went wrong on the way to the command
#   started    empty until the command is about to run
#   exit       the exit code; its time of change is when the container ended
#   stdout, stderr, stdin, collected, close-stdin    FIFOs
#   filter     made by the agent: a program that installs the container's own filter of system calls
#   pts        where the container's terminals are mounted while it starts
# $2 is "terminal" for the part that runs inside of a new terminal.
#
# Standard output goes to the agent: a line "ready" once the command runs.
# Descriptors: 3, 4 and 8 are the container's output, error and input, 5 is "collected", 6 is the
# agent, 7 is "started", and 9 holds the input open and then is the list of what to hide in /proc.
# On the way to the command, 5 is the program that installs its own filter of system calls.

launch() {
  echo "$OOM_SCORE" >/proc/self/oom_score_adj 2>/dev/null
  for file in $JOIN; do
    echo 0 >"$file" || exit 125
  done
  exec 5<"$FILTER" 9<"$MASKS"
  exec nsenter $ENTER -- $ISOLATE <run
}

cd "$1" || exit 1
. ./launch

if [ "$2" = terminal ]; then
  exec 8<&0 3>&1 4>&2
  launch >&6 2>>errors
fi

shim=$0
directory=$1
read -r stat </proc/$$/stat
set -- $stat
set -C
echo "$$ ${22}" >shim || exit 1
set +C

# Opened for reading and writing, so that neither end ever sees the other one go.
exec 3<>stdout 4<>stderr 5<>collected 6>&1 7>started
case $STDIN in
  none) exec 8</dev/null ;;
  *) exec 9<>stdin 8<stdin 9>stdin ;;
esac

if [ "$TERMINAL" = yes ]; then
  # The terminal belongs to script, which copies between it and the FIFOs. It is one of the
  # container's, so that it has a name there: script sees those in place of the machine's.
  SHELL=/bin/sh unshare --mount --propagation=private -- sh -c \
    '[ ! -d pts ] || mount --bind pts /dev/pts || exit 125; exec script "$@"' script \
    --quiet --return --flush \
    --command "exec sh '$shim' '$directory' terminal" /dev/null <&8 >&3 2>&4 9>&- &
else
  launch >&6 2>>errors &
fi
container=$!
exec 6>&- 7>&- 8<&- >/dev/null 2>&1

# An input that ends when its first user leaves is held open by somebody who can be told to go.
holder=
if [ "$STDIN" = once ]; then
  { read -r _ <close-stdin; } &
  holder=$!
  exec 9>&-
fi

trap '' HUP INT TERM
wait "$container"
code=$?
# unshare of util-linux 2.38 fails when it tries to end like a container that was killed.
if [ "$code" = 1 ] && [ -s started ] && [ -s errors ]; then
  code=137
fi
[ -z "$holder" ] || kill "$holder"
echo "$code" >exit.new
mv exit.new exit
read -r _ <&5
