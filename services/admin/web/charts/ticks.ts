/**
 * Round numbers from 0 to the first one that nothing is above, for the lines of a chart: 0, 20, 40, 60.
 *
 * @param highest what is drawn
 * @param most lines above 0, about
 */
export function ticks(highest: number, most = 4): readonly number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const whole = highest >= most ? Math.max(1, step) : step;
  return Array.from({ length: Math.ceil(highest / whole - 1e-9) + 1 }, (_, index) =>
    Number((index * whole).toPrecision(12)),
  );
}
