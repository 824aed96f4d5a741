/** How long to wait for a part that is away, milliseconds. @param outages earlier tries that met it away */
export const outageWait = (outages: number): number => Math.min(50 * 2 ** outages, 2_000);
