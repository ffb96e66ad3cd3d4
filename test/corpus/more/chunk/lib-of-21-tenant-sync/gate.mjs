// A gate that lets `max` callers through; the others queue up in front of it.
export function createGate(max) {
  let open = max;
  const line = [];
  const leave = () => {
    const next = line.shift();
    if (next) next();
    else open++;
  };
  return async function pass(work) {
    if (open > 0) open--;
    else await new Promise((go) => line.push(go));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

export function* slices(list, size) {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
