export { simulatorControl } from './control/client.ts';
export type {
  Behaviour,
  ContactText,
  DeviceFact,
  DropMoment,
  GroupChange,
  GroupFact,
  MemberOutcome,
  NetworkSettings,
  NewGroup,
  NewPhone,
  PastPlan,
  PhoneFact,
  ReadChoice,
  SeenTyping,
  ShownMessage,
  SimulatorControl,
  StatisticsSnapshot,
  Text,
  TypingState,
  WrittenMessage,
} from './control/contract.ts';
export type {
  ContactCard,
  Content,
  GivenMedia,
  LinkPreview,
  Location,
  MediaFault,
  ShownContent,
  ShownMedia,
  Wrapping,
} from './messages/kinds.ts';
export { Refusal } from './control/refusal.ts';
export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
