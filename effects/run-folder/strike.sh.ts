/**
 * Which processes the watchdog ends, and how, as functions of POSIX sh. Each one is signalled by its own pid, and
 * only after its start time was compared again; never a group, never the launcher, never the watchdog's own.
 */
export const STRIKE_SH = `
# Sets found to "pid/start" of each live process in the launcher's session or with the run's mark, where the
# start's spaces are underscores. A file is not written for it: the disk may be full.
collect() {
  found=
  if [ "$mode" = proc ]; then
    set +f
    marked=" $(LC_ALL=C grep -lzxF -e "$mark" /proc/[0-9]*/environ 2>/dev/null) "
    set -- /proc/[0-9]*
    set -f
    for member in "$@"; do
      case $marked in *"$member/environ"*) why=mark ;; *) why= ;; esac
      member=\${member#/proc/}
      look "$member"
      consider
    done
  else
    case $(uname) in Darwin) flags=-axEww ;; *) flags=-axeww ;; esac
    marked=' '
    IFS='
'
    for row in $(LC_ALL=C ps $flags -o pid= -o command=); do
      IFS=$blank
      case "$row " in *" $mark "*) set -- $row && marked="$marked$1 " ;; esac
    done
    IFS='
'
    for row in $(LC_ALL=C TZ=UTC ps -ax -o pid= -o ppid= -o pgid= -o stat= -o lstart=); do
      IFS=$blank
      set -- $row
      case $marked in *" $1 "*) why=mark ;; *) why= ;; esac
      member=$1 parent=$2 group=$3 session=$3 state=$4
      shift 4
      start="$*"
      # Our own ps is in the table, and gone by now.
      [ -z "$why" ] && [ "$group" != $$ ] || { look "$member" && consider; }
    done
    IFS=$blank
  fi
}

consider() {
  [ -n "$why" ] || [ "$session" = $$ ] || [ "$group" = $$ ] || return 0
  [ -n "$start" ] && [ "$member" != $$ ] && [ "$member" != "$self" ] && [ "$parent" != "$self" ] || return 0
  case $state in [ZXx]*) return 0 ;; esac
  IFS=' '
  set -- $start
  IFS=_
  found="$found $member/$*"
  IFS=$blank
}

strike() {
  for member in $found; do
    IFS=_
    set -- "\${member%%/*}" \${member#*/}
    IFS=$blank
    pid=$1
    shift
    if alive "$pid" "$*"; then kill "-$signal" "$pid" 2>/dev/null; fi
  done
}
`
