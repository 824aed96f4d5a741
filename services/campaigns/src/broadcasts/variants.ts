/**
 * How many of `total` each weight gets: exact shares, what is left of the division going to the largest remainders.
 *
 * @returns as many whole numbers as weights; they add up to `total`
 */
export function shares(weights: readonly number[], total: number): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map((weight) => (weight * total) / sum);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((all, one) => all + one, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder.slice(0, left)) whole[index] = (whole[index] ?? 0) + 1;
  return whole;
}

/**
 * Deals out shares one after the other, evenly mixed: of any beginning each has about its part.
 *
 * @param given of `shares`
 * @returns the index of the share that the next one gets
 */
export function dealing(given: readonly number[]): () => number {
  const total = given.reduce((all, one) => all + one, 0);
  const dealt = given.map(() => 0);
  let turn = 0;
  return () => {
    turn += 1;
    let best = -1;
    let behind = -Infinity;
    for (const [index, share] of given.entries()) {
      const has = dealt[index] ?? 0;
      const lacks = (share * turn) / total - has;
      if (has < share && lacks > behind) [best, behind] = [index, lacks];
    }
    dealt[best] = (dealt[best] ?? 0) + 1;
    return best;
  };
}
