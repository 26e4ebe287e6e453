/**
 * The launcher's background part, as functions of POSIX sh: it counts its own ticks while the owner is dead, holds
 * the size of the spools, and ends the agent for either. It compares no clocks, and it signals a process only
 * after comparing its start time. It ends with the launcher, also when that was killed.
 */
export const WATCHDOG_SH = `
# One tick. The sleep is a child, so that TERM can end both at once.
pause() {
  slept=
  sleep "$tick" &
  sleeper=$!
  look "$sleeper"
  slept=$start
  wait "$sleeper" 2>/dev/null
  sleeper=
}

leave() {
  # Without a start time it has not been waited for, so the pid is still its own.
  if [ -n "$sleeper" ]; then
    if [ -z "$slept" ] || alive "$sleeper" "$slept"; then kill -KILL "$sleeper" 2>/dev/null; fi
  fi
  exit 0
}

# Whether the process in the owner file may be alive. One in another namespace is not ours to judge.
attended() {
  o_pid= o_start= o_boot= o_namespace= o_host=
  {
    while IFS= read -r line; do
      case $line in
        pid=*) o_pid=\${line#*=} ;;
        start=*) o_start=\${line#*=} ;;
        boot=*) o_boot=\${line#*=} ;;
        namespace=*) o_namespace=\${line#*=} ;;
        host=*) o_host=\${line#*=} ;;
      esac
    done < "$dir/owner"
  } 2>/dev/null
  [ -n "$o_pid" ] || return 1
  [ "$o_host" = "$host" ] || return 0
  [ "$o_boot" = "$boot" ] || return 1
  [ "$o_namespace" = "$namespace" ] || return 0
  alive "$o_pid" "$o_start"
}

size() {
  set -- $(LC_ALL=C ls -ln "$1" 2>/dev/null)
  bytes=\${5-}
  case $bytes in '' | *[!0-9]*) bytes=0 ;; esac
}

oversize() {
  size "$dir/stdout"
  total=$bytes
  size "$dir/stderr"
  [ $((total + bytes)) -gt "$most" ]
}

watch() {
  sleeper=
  trap leave TERM
  trap '' INT HUP
  away=0
  while pause; do
    alive $$ "$launcher_start" || exit 0
    [ ! -f "$dir/exit" ] || exit 0
    if attended; then away=0; else away=$((away + 1)); fi
    if [ "$away" -ge "$limit" ]; then finish unattended; fi
    if oversize; then finish spoolLimit; fi
  done
}

# Ends everything of the run except the launcher, which writes exit when the agent is gone.
finish() {
  # From here on the launcher waits for us.
  trap '' TERM
  publish ended "reason=$1"
  if [ "$mode" = proc ]; then
    { IFS=' ' read -r self line < /proc/self/stat; } 2>/dev/null
  else
    sh -c 'echo $PPID' > "$dir/.self.$$"
    read -r self < "$dir/.self.$$"
    rm -f "$dir/.self.$$"
  fi
  collect
  signal=TERM
  strike
  waited=0
  while [ -n "$found" ] && [ "$waited" -lt "$grace" ]; do
    pause
    waited=$((waited + 1))
    collect
  done
  signal=KILL
  rounds=0
  while [ -n "$found" ] && [ "$rounds" -lt 20 ]; do
    strike
    pause
    rounds=$((rounds + 1))
    collect
  done
  exit 0
}
`
