/** Ends the run's servers and removes their data. */
export default async function teardown() {
  await globalThis.testServers?.close();
}
