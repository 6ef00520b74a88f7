# Completion of the arguments of ctorch, for bash.
_ctorch() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options=
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "info ops inspect convert diff run bench board help --help --version" -- "$current")
    return
  fi
  case $previous in
    --to)
      mapfile -t COMPREPLY < <(compgen -W "pt safetensors npz npy" -- "$current")
      return
      ;;
    --dtype)
      mapfile -t COMPREPLY < <(compgen -W "float16 bfloat16 float32 float64" -- "$current")
      return
      ;;
    --rename | --shard | --atol | --rtol | --model | --device | --threads | --warmup | --repeat | --tag | --run | --smooth | --width | --height) return ;;
  esac
  case ${COMP_WORDS[1]} in
    info) options="--build --json" ;;
    ops) options="--json" ;;
    inspect) options="--tree --metadata --json" ;;
    convert) options="--to --dtype --rename --shard --compressed --no-crc32" ;;
    diff) options="--atol --rtol --json" ;;
    run) options="--input --arguments --output --model --device --threads" ;;
    bench) options="--input --arguments --warmup --repeat --model --device --threads --json" ;;
    board) options="--follow --tag --run --smooth --width --height --ascii --json" ;;
    help)
      mapfile -t COMPREPLY < <(compgen -W "info ops inspect convert diff run bench board" -- "$current")
      return
      ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$current")
  elif [[ ${COMP_WORDS[1]} != @(info|ops) ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _ctorch ctorch
