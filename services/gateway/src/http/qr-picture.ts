import type { Request, Response } from 'express';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';

/** Wide enough for the camera of a phone, pixels for each module. */
const scale = 8;

/**
 * Answers with a QR code as a picture where the client asks for one: `image/png`, or `text/plain` for a terminal.
 *
 * @param field of the answer, with the code's text
 * @returns false: the client takes JSON, nothing is written
 */
export async function writePicture(
  field: string,
  answer: KeptAnswer,
  request: Request,
  response: Response,
): Promise<boolean> {
  response.vary('Accept');
  const type = request.accepts(['application/json', 'image/png', 'text/plain']);
  if (type !== 'image/png' && type !== 'text/plain') return false;
  const text = (JSON.parse(answer.json ?? '{}') as Readonly<Record<string, string>>)[field] ?? '';
  const { default: qrcode } = await import('qrcode');
  response.status(answer.status).setHeader('Cache-Control', 'no-store');
  if (type === 'image/png')
    response.type(type).end(await qrcode.toBuffer(text, { errorCorrectionLevel: 'L', margin: 4, scale }));
  else
    // Black on white by colour codes, whatever the colours of the terminal.
    response.type(type).end(await qrcode.toString(text, { type: 'terminal', small: true, errorCorrectionLevel: 'L' }));
  return true;
}
