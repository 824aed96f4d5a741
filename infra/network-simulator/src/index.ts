export { startBeside, type Beside } from './beside.ts';
export { simulatorControl } from './control/client.ts';
export type { PastPlan, ShownMessage, SimulatorControl } from './control/contract.ts';
export type { Content, GivenMedia } from './messages/kinds.ts';
export { startSimulator, type Simulator } from './simulator.ts';
