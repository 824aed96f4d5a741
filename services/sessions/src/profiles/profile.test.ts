import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { profile, type ProfileCommand, type ProfileEvent } from './profile.ts';

const given = specification(profile);
const at = '2026-01-01T00:00:00.000Z';
const ids = { profileId: 'p', accountId: 'a', workspaceId: 'w', name: 'Sales' };
const created: ProfileEvent = { type: 'ProfileCreated', data: { ...ids, at } };
const wanted: ProfileEvent = { type: 'ConnectionWanted', data: { engine: 'socket-engine', at } };
const unwanted: ProfileEvent = { type: 'ConnectionUnwanted', data: { at } };
const changed = (
  status: Extract<ProfileEvent, { type: 'StatusChanged' }>['data']['status'],
  reason?: string,
): ProfileEvent => ({ type: 'StatusChanged', data: { status, reason, at } });
const connected: ProfileEvent = { type: 'Connected', data: { phoneNumber: '4915112345678', pushName: 'Ada', at } };
const ended = (reason: string): ProfileEvent => ({ type: 'Disconnected', data: { reason, at } });
const deleted: ProfileEvent = { type: 'ProfileDeleted', data: { profileId: 'p', accountId: 'a', at } };
const note = (status: Extract<ProfileCommand, { type: 'NoteStatus' }>['status'], reason?: string): ProfileCommand => ({
  type: 'NoteStatus',
  status,
  reason,
  at,
});

describe('a profile', () => {
  it('is created once, however often the request comes', () => {
    given()
      .when({ type: 'CreateProfile', ...ids, at })
      .then(created);
    given(created)
      .when({ type: 'CreateProfile', ...ids, at })
      .thenNothing();
    given(created, deleted)
      .when({ type: 'CreateProfile', ...ids, at })
      .thenRefused('CONFLICT');
  });

  it('starts connecting when it is asked to, and only once', () => {
    given(created).when({ type: 'WantConnection', engine: 'socket-engine', at }).then(wanted, changed('connecting'));
    given(created, wanted, changed('connecting'))
      .when({ type: 'WantConnection', engine: 'socket-engine', at })
      .thenNothing();
    given(created, wanted, connected).when({ type: 'WantConnection', engine: 'socket-engine', at }).thenNothing();
    given(created, wanted, changed('failed', 'CLIENT_VERSION_REFUSED'))
      .when({ type: 'WantConnection', engine: 'socket-engine', at })
      .then(changed('connecting'));
  });

  it('keeps the engine that it was first connected with, whatever the default is later', () => {
    const later = { type: 'WantConnection', engine: 'web-js-engine', at } as const;
    given(created, wanted, unwanted).when(later).then(wanted, changed('connecting'));
    const chosen: ProfileEvent = { type: 'ProfileCreated', data: { ...ids, engine: 'socket-engine', at } };
    given(chosen).when(later).then(wanted, changed('connecting'));
    // One that was linked before profiles kept theirs.
    given(created, { type: 'ConnectionWanted', data: { at } }, connected, unwanted, changed('disconnected'))
      .when(later)
      .then(wanted, changed('connecting'));
  });

  it('that nobody has linked is not tried again once the network has refused it', () => {
    given(created, wanted, changed('awaiting_scan'))
      .when(note('failed', 'PASSKEY_REQUIRED'))
      .then(changed('failed', 'PASSKEY_REQUIRED'), unwanted);
    given(created, wanted, connected, changed('reconnecting', 'CONNECTION_LOST'))
      .when(note('failed', 'ACCOUNT_REFUSED'))
      .then(changed('failed', 'ACCOUNT_REFUSED'));
  });

  it('that is connected is not told so again for having been compared', () => {
    const again = { type: 'NoteConnected', phoneNumber: '4915112345678', pushName: 'Ada', at, isKnown: true } as const;
    given(created, wanted, connected).when(again).thenNothing();
    given(created, wanted, connected, changed('reconnecting')).when(again).then(connected);
  });

  it('shows each QR code', () => {
    const qr: ProfileEvent = { type: 'QrShown', data: { qr: '2@a', expiresAt: at } };
    given(created, wanted, changed('connecting'))
      .when({ type: 'NoteQr', qr: '2@a', expiresAt: at, at })
      .then(changed('awaiting_scan'), qr);
    given(created, wanted, changed('awaiting_scan'), qr)
      .when({ type: 'NoteQr', qr: '2@a', expiresAt: at, at })
      .then(qr);
  });

  it('stays wanted while the connection is lost, and tells the loss', () => {
    given(created, wanted, connected)
      .when(note('reconnecting', 'CONNECTION_LOST'))
      .then(changed('reconnecting', 'CONNECTION_LOST'), ended('CONNECTION_LOST'));
    given(created, wanted, connected, changed('reconnecting')).when(note('reconnecting')).thenNothing();
  });

  it('loses its link when it was removed on the phone, and is not connected again by itself', () => {
    given(created, wanted, connected)
      .when(note('logged_out', 'LOGGED_OUT'))
      .then(changed('logged_out', 'LOGGED_OUT'), ended('LOGGED_OUT'), { type: 'Unlinked', data: { at } }, unwanted);
  });

  it('stays down after a disconnect and keeps its link', () => {
    given(created, wanted, connected)
      .when({ type: 'UnwantConnection', at })
      .then(changed('disconnected'), ended('DISCONNECTED'), unwanted);
    given(created).when({ type: 'UnwantConnection', at }).thenNothing();
  });

  it('is told down by its holder unless it is wanted again, or is down for a reason of its own', () => {
    const byOperator = [changed('disconnected'), ended('DISCONNECTED'), unwanted];
    given(created, wanted, connected, ...byOperator)
      .when({ type: 'NoteDown', at })
      .thenNothing();
    given(created, wanted, connected, ...byOperator, connected)
      .when({ type: 'NoteDown', at })
      .then(changed('disconnected'), ended('DISCONNECTED'));
    given(created, wanted, connected, ...byOperator, wanted, changed('connecting'))
      .when({ type: 'NoteDown', at })
      .thenNothing();
    given(created, wanted, connected, changed('logged_out', 'UNLINKED'), unwanted)
      .when({ type: 'NoteDown', at })
      .thenNothing();
  });

  it('keeps the name that the phone told, also over connections that tell none', () => {
    given(created, wanted, connected)
      .when({ type: 'NotePushName', pushName: 'Bob', at })
      .then({ type: 'PushNameLearned', data: { pushName: 'Bob' } });
    given(created, wanted, connected).when({ type: 'NotePushName', pushName: 'Ada', at }).thenNothing();
    const silent: ProfileEvent = { type: 'Connected', data: { phoneNumber: '4915112345678', at } };
    given(created, wanted, connected, silent).when({ type: 'NotePushName', pushName: 'Ada', at }).thenNothing();
  });

  it('is deleted once, and nothing can be done with it then', () => {
    given(created).when({ type: 'DeleteProfile', at }).then(deleted);
    given(created, deleted).when({ type: 'DeleteProfile', at }).thenNothing();
    given(created, deleted).when({ type: 'RenameProfile', name: 'x', at }).thenRefused('NOT_FOUND');
    given().when({ type: 'DeleteProfile', at }).thenRefused('NOT_FOUND');
  });
});
