export {
  Flow,
  FlowStats,
  type FlowAction,
  type FlowCondition,
  type FlowMessageOf,
  type FlowTrigger,
} from './shapes.ts';
export * from './keeping.ts';
export * from './looking.ts';
