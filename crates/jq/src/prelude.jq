# What filters can call beside the functions written in Rust.
# Names that start with an underscore are for this file only.

# Selecting by kind
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def isfinite: type == "number" and (isinfinite | not);
def finites: select(isfinite);
def normals: select(isnormal);

# Every item
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f): def next: ., (f | next); next;
def recurse(f; condition): def next: ., (f | select(condition) | next); next;
def recurse: def next: ., (.[]? | next); next;
def walk(f):
  def inner: if type == "object" then map_values(inner) elif type == "array" then map(inner) else . end | f;
  inner;
def add(f): reduce f as $item (null; . + $item);
def add: add(.[]);
def any(source; condition): isempty(source | condition | select(.)) | not;
def any(condition): any(.[]; condition);
def any: any(.[]; .);
def all(source; condition): isempty(source | condition | select(not));
def all(condition): all(.[]; condition);
def all: all(.[]; .);
def isempty(f): [first(f | null)] == [];
def join($separator):
  reduce .[] as $item (null;
    (if . == null then "" else . + $separator end)
    + ($item | if type == "boolean" or type == "number" then tostring else . // "" end)
  ) // "";
def flatten: [.[]] | _flatten(-1);
def flatten($depth):
  if $depth < 0 then error("flatten depth must not be negative") else [.[]] | _flatten($depth) end;
def reverse: [.[length - 1 - range(0; length)]];
def transpose: [range(0; map(length) | max // 0) as $column | [.[][$column]]];
def combinations:
  if length == 0 then [] else .[0][] as $first | (.[1:] | combinations) as $others | [$first] + $others end;
def combinations(n): . as $set | [range(n) | $set] | combinations;

# So many outputs
def limit($count; f):
  if $count > 0 then _limit($count | if type == "number" then . else . - 1 end; f)
  elif $count == 0 then empty
  else error("limit doesn't support negative count") end;
def skip($count; f):
  if $count > 0 then _skip($count | if type == "number" then . else . - 1 end; f)
  elif $count == 0 then f
  else error("skip doesn't support negative count") end;
def first: .[0];
def last: .[-1];
def last(f): reduce f as $item ([]; [$item]) | .[];
def nth($place): .[$place];
def nth($place; f):
  if $place < 0 then error("nth doesn't support negative indices") else first(skip($place; f)) end;
def while(condition; update): def next: if condition then ., (update | next) else empty end; next;
def until(condition; update): def next: if condition then . else update | next end; next;
def repeat(f): def next: f, next; next;
def range($upto): _range(0; $upto);
def range($from; $upto): _range($from; $upto);
def range($from; $upto; $by):
  if $by > 0 then $from | while(. < $upto; . + $by)
  elif $by < 0 then $from | while(. > $upto; . + $by)
  else empty end;
def inputs: empty;
def debug(message): (message | empty), .;

# Order
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): _unique_by(map([f]));
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));

# Keys and paths
def from_entries:
  reduce .[] as $entry ({};
    . + ($entry | { (.key // .Key // .name // .Name): (if has("value") then .value else .Value end) })
  );
def with_entries(f): to_entries | map(f) | from_entries;
def del(paths): delpaths([path(paths)]);
def paths: path(recurse) | select(length > 0);
def paths(condition): path(recurse | select(condition)) | select(length > 0);
def pick(paths): . as $all | reduce path(paths) as $path (null; setpath($path; $all | getpath($path)));
def tostream:
  path(def next: (.[]? | next), .; next) as $path
  | getpath($path)
  | reduce path(.[]?) as $last ([$path, .]; [$path + $last]);
def fromstream(events):
  { value: null, done: false } as $start
  | foreach events as $event ($start;
      if .done then $start else . end
      | if $event | length == 2
        then setpath(["done"]; $event[0] | length == 0) | setpath(["value"] + $event[0]; $event[1])
        else setpath(["done"]; $event[0] | length == 1) end;
      if .done then .value else empty end
    );
def truncate_stream(events):
  . as $depth | null | events
  | . as $event
  | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;

# Where something is
def indices($part):
  if type == "array" and ($part | type) == "array" then .[$part]
  elif type == "array" then .[[$part]]
  elif type == "string" and ($part | type) == "string" then _text_positions($part)
  else .[$part] end;
def index($part): indices($part) | .[0];
def rindex($part): indices($part) | .[-1:][0];
def in(container): . as $key | container | has($key);
def inside(container): . as $part | container | contains($part);
def IN(source): any(source == .; .);
def IN(source; others): any(source == others; .);
def INDEX(source; key): reduce source as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; source; key): source | [., $index[key]];
def JOIN($index; source; key; join): source | [., $index[key]] | join;

# Numbers and dates
def abs: if . < 0 then -. else . end;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todate: todateiso8601;
def fromdate: fromdateiso8601;

# Regular expressions; one argument may be an array of a pattern and its flags.
def _pattern:
  type as $kind
  | if $kind == "string" then [., null]
    elif $kind == "array" and length > 0 then [.[0], .[1]]
    else error($kind + " not a string or array") end;
def match(pattern; flags): _match(pattern; flags) | .[];
def match($pattern): ($pattern | _pattern) as [$text, $flags] | match($text; $flags);
def test(pattern; flags): _test(pattern; flags);
def test($pattern): ($pattern | _pattern) as [$text, $flags] | test($text; $flags);
def capture(pattern; flags):
  match(pattern; flags)
  | reduce (.captures[] | select(.name != null)) as $group ({}; .[$group.name] = $group.string);
def capture($pattern): ($pattern | _pattern) as [$text, $flags] | capture($text; $flags);
def scan($pattern; $flags):
  match($pattern; "g" + $flags) | if .captures | length > 0 then [.captures[].string] else .string end;
def scan($pattern): scan($pattern; null);
def splits($pattern; $flags): _split($pattern; $flags + "g") | .[];
def splits($pattern): splits($pattern; null);
def split($pattern; $flags): [splits($pattern; $flags)];
def sub($pattern; replacement; $flags):
  . as $whole
  | _edits($pattern; $flags) as { $edits, $rest }
  | reduce $edits[] as $edit ([];
      [$edit.capture | replacement] as $inserts
      | reduce range($inserts | length) as $place (.; .[$place] += $edit.gap + $inserts[$place])
    )
  | if . == [] then $whole else .[] + $rest end;
def sub($pattern; replacement): sub($pattern; replacement; "");
def gsub($pattern; replacement; flags): sub($pattern; replacement; flags + "g");
def gsub($pattern; replacement): sub($pattern; replacement; "g");
