// The run all peers are given: rails that work without a pause, tasks of 1 to 7 ms. Typed columns, made before any clock runs.
export function makeTasks(lanes, count) {
  const lane = new Uint32Array(count);
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  const free = new Float64Array(lanes);
  let seed = 7;
  for (let i = 0; i < count; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    lane[i] = i % lanes;
    start[i] = free[lane[i]];
    end[i] = free[lane[i]] += 4 * (0.25 + (1.5 * seed) / 2 ** 32);
  }
  return { lane, start, end, count, lanes, last: Math.max(...free) };
}
