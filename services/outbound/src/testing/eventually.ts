/** Waits until something holds; looks every few milliseconds. */
export async function eventually(holds: () => boolean | Promise<boolean>, patience = 150_000): Promise<void> {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not come to hold within ${patience} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
