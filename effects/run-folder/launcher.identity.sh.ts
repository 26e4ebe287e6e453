/**
 * The functions of POSIX sh that the launcher and the starter share: who a process is, and publishing a file.
 * Runs under dash, bash (3.2, posix mode) and busybox. No value is ever interpolated into this text: all of them
 * arrive as positional parameters. Expects `dir`, `mode`, `boot`, `namespace` and `host` to be set.
 */
export const IDENTITY_SH = `
# Sets state, start, parent, group and session of process $1; all empty when there is none.
look() {
  state= start= parent= group= session=
  if [ "$mode" = proc ]; then
    stat=
    { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done < "/proc/$1/stat"; } 2>/dev/null
    # The name is in parentheses and may hold anything, ") " included: count from the last one.
    set -- \${stat##*) }
    state=\${1-} parent=\${2-} group=\${3-} session=\${4-} start=\${20-}
  else
    set -- $(LC_ALL=C TZ=UTC ps -o stat= -o ppid= -o pgid= -o lstart= -p "$1" 2>/dev/null)
    [ $# -gt 3 ] || return 0
    state=$1 parent=$2 group=$3 session=$3
    shift 3
    start=$*
  fi
}

# Whether process $1 that started at $2 is running. A zombie is not.
alive() {
  [ -n "\${1-}" ] && [ -n "\${2-}" ] || return 1
  look "$1"
  [ "$start" = "$2" ] || return 1
  case $state in [ZXx]*) return 1 ;; esac
}

# The identity of process $1 that started at $2, as text.
identity() {
  text="pid=$1
start=$2
boot=$boot
namespace=$namespace
host=$host"
}

# The file $1 with text $2, whole or not at all.
publish() {
  printf '%s\\n' "$2" > "$dir/.$1.$$" && mv -f "$dir/.$1.$$" "$dir/$1"
}
`
