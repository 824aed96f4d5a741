// Pods share the network of the machine: each listens on a loopback address of its own. The API server takes no loopback addresses in
// EndpointSlices, so that it is told another one; nothing is ever sent there. Clusters beside each other keep apart by the second number.
const own = 64 + (process.pid % 128);

/** The address that the API server is told of the nth pod. */
export const toldAddress = (n: number): string => `10.${own}.${n >> 8}.${n & 255}`;

/** Where the pod with this address listens. */
export const boundAddress = (address: string): string => address.replace(/^10\./, '127.');

/** Where the nth Service is reached from pods. */
export const serviceAddress = (n: number): string => `127.${own}.254.${n}`;

/** Of all nodes. */
export const nodeAddress = `10.${own}.255.1`;
