const DEADLINE_MS = 120_000;

/** Asks until there is an outcome (not undefined, not false) and returns it. @throws after two minutes */
export async function until<Outcome>(
  look: () => Outcome | undefined | false | Promise<Outcome | undefined | false>,
): Promise<Outcome> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const outcome = await look();
    if (outcome !== undefined && outcome !== false) return outcome;
    if (Date.now() > deadline) throw new Error(`This has not come about: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
