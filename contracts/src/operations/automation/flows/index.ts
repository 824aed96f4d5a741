export {
  Flow,
  FlowStats,
  type FlowAction,
  type FlowCondition,
  type FlowMessageOf,
  type FlowTrigger,
  standardToolNames,
  type OwnTool,
} from './shapes.ts';
export * from './keeping.ts';
export * from './looking.ts';
