import { locationFields, sendBody } from './send-fields.ts';
import { sendOperation, to } from './send-operation.ts';

export const SendLocation = sendOperation({
  name: 'SendLocation',
  path: '/messages/location',
  summary: 'Send a place',
  means: 'A pin on the map. Passes the send gate as a text message does.',
  body: sendBody(locationFields),
  example: { to, latitude: 52.5163, longitude: 13.3777, name: 'Brandenburg Gate', address: 'Pariser Platz, Berlin' },
});
