order="31 32 41 42 43 51 52 53 54 61 62 63 64 65 11 22 33 44 55 66 21 "
while IFS= read -r line; do
  case $line in
    '{"type":"claim",'*)
      # The roll itself when it beats the standing claim, otherwise the next claim above it.
      roll=${line#*'"roll":"'} roll=${roll%%'"'*}
      above=${line#*'"above":"'} above=${above%%'"'*}
      case $line in *'"above":null'*) legal=$order ;; *) legal=${order#*"$above "} ;; esac
      case " $legal" in *" $roll "*) claim=$roll ;; *) claim=${legal%% *} ;; esac
      printf '{"claim":"%s"}\n' "$claim" ;;
    '{"type":"answer","claim":"44"'* | '{"type":"answer","claim":"55"'*) echo '{"action":"challenge"}' ;;
    '{"type":"answer","claim":"66"'* | '{"type":"answer","claim":"21"'*) echo '{"action":"challenge"}' ;;
    '{"type":"answer",'*) echo '{"action":"accept"}' ;;
  esac  # the opening of a match, or an event: nothing to answer
done
