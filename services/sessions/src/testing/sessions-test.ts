import {
  ApplySendingPolicy,
  ConnectProfile,
  CreateProfile,
  DeliverMessage,
  GetProfileStatus,
  GetQr,
  OrganizationCreated,
  ReadSendingStates,
  type AnswerOf,
  type Caller,
  type OutgoingContentOf,
} from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { testCaller, testService, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import type { SessionsSettings } from '../config.ts';
import { sessions, wantDisconnected } from '../index.ts';
import { newNetworkId, sessionsFolder, until } from './engine-harness.ts';
import { fakeOutbound, testSettings } from './fakes.ts';

export interface Made {
  readonly id: string;
  readonly accountId: string;
}

export interface SessionsTest {
  readonly service: TestService;
  readonly simulator: Simulator;
  readonly outbound: ReturnType<typeof fakeOutbound>;
  /** An organization whose account "Default" is there. */
  organization(): Promise<Caller>;
  create(caller: Caller, name?: string): Promise<Made>;
  statusOf(caller: Caller, id: string): Promise<{ status: string; statusReason: string | null }>;
  reaches(caller: Caller, id: string, status: string, reason?: string): Promise<unknown>;
  /** The QR code as soon as there is one. */
  qrOf(caller: Caller, profile: Made): Promise<{ qr: string; qrCode: string }>;
  /** A profile that is linked to a phone by QR code, and connected. */
  linked(caller: Caller, phone: string): Promise<Made>;
  deliver(
    caller: Caller,
    profileId: string,
    to: string,
    text: string,
    networkMessageId?: string,
  ): Promise<AnswerOf<typeof DeliverMessage>>;
  deliverContent(
    caller: Caller,
    profileId: string,
    to: string,
    content: OutgoingContentOf,
    networkMessageId?: string,
  ): Promise<AnswerOf<typeof DeliverMessage>>;
  /** As the command line of an operator does it. */
  disconnectAsOperator(caller: Caller, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** The service on a real database and the simulated network; outbound is a fake. @param place where session data lies */
export async function sessionsTest(
  place?: (folder: string) => string,
  changed: Partial<SessionsSettings> = {},
  replicas = 1,
): Promise<SessionsTest> {
  const simulator = await startSimulator();
  const folder = await sessionsFolder();
  const outbound = fakeOutbound();
  let store: EventStore | undefined;
  const withStore: typeof sessions = {
    ...sessions,
    connect: (tools) => {
      ({ store } = tools);
      return sessions.connect(tools);
    },
  };
  const service = await testService(withStore, {
    replicas,
    settings: { ...testSettings(simulator, place?.(folder.directory) ?? folder.directory), ...changed },
    others: async (fake) => {
      await fake(ApplySendingPolicy, outbound.apply);
      await fake(ReadSendingStates, outbound.read);
    },
  });
  const statusOf: SessionsTest['statusOf'] = async (caller, id) =>
    (await service.call(GetProfileStatus, { caller, params: { id } })).body as never;
  const create: SessionsTest['create'] = async (caller, name = 'Sales') =>
    (await service.call(CreateProfile, { caller, body: { name } })).body as Made;
  const reaches: SessionsTest['reaches'] = (caller, id, status, reason) =>
    until(async () => {
      const now = await statusOf(caller, id);
      return now.status === status && (reason === undefined || now.statusReason === reason);
    });
  const qrOf: SessionsTest['qrOf'] = async (caller, { id, accountId }) =>
    (await until(() => service.call(GetQr, { caller, params: { accountId, profileId: id } }).catch(() => undefined)))
      .body as never;
  const deliverContent: SessionsTest['deliverContent'] = (
    { organizationId },
    profileId,
    to,
    content,
    networkMessageId = newNetworkId(),
  ) =>
    service.ask(DeliverMessage, {
      organizationId,
      profileId,
      messageId: v7(),
      networkMessageId,
      laneEpoch: 1,
      to: `${to}@c.us`,
      content,
    });
  return {
    service,
    simulator,
    outbound,
    statusOf,
    create,
    reaches,
    qrOf,
    organization: async () => {
      const caller = testCaller();
      const { organizationId, userId: ownerId } = caller;
      await service.emit(OrganizationCreated, { organizationId, workspaceId: v7(), ownerId }, { organizationId });
      return caller;
    },
    linked: async (caller, phone) => {
      const profile = await create(caller);
      await service.call(ConnectProfile, { caller, params: { id: profile.id } });
      // On a slow machine the code may have changed meanwhile.
      await until(async () =>
        simulator.scan(phone, (await qrOf(caller, profile)).qr).then(
          () => true,
          () => false,
        ),
      );
      await reaches(caller, profile.id, 'connected');
      return profile;
    },
    deliver: (caller, profileId, to, text, networkMessageId) =>
      deliverContent(caller, profileId, to, { type: 'text', content: { text } }, networkMessageId),
    deliverContent,
    disconnectAsOperator: ({ organizationId }, id) =>
      wantDisconnected(store as EventStore, { id, organizationId }, new Date(service.clock.now()).toISOString()),
    stop: async () => {
      await service.stop();
      await simulator.stop();
      await folder.remove();
    },
  };
}
