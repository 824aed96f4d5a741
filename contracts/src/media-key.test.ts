import { describe, expect, it } from '@jest/globals';
import { keyOfMediaUrl, mediaKey, mediaUrl, placeOfMedia } from './media-key.ts';

const organizationId = '0198c0de-0000-7000-8000-000000000001';
const profileId = '0198c0de-0000-7000-8000-000000000002';
const id = '0198c0de-0000-7000-8000-000000000003';

describe('a key of the media store', () => {
  it('says to whom it belongs', () => {
    expect(placeOfMedia(mediaKey({ organizationId }, id))).toEqual({ organizationId });
    expect(placeOfMedia(mediaKey({ organizationId, profileId }, id))).toEqual({ organizationId, profileId });
  });

  it.each([
    '',
    'a/b/c',
    `${organizationId}/uploads`,
    `../${organizationId}/uploads/${id}`,
    `${organizationId}/x/${id}`,
  ])('is not %p', (text) => expect(placeOfMedia(text)).toBeUndefined());

  it('is found in its URL', () => {
    const key = mediaKey({ organizationId }, id);
    expect(keyOfMediaUrl(mediaUrl(key))).toBe(key);
    expect(keyOfMediaUrl(`${mediaUrl(key)}?x=1`)).toBe(key);
  });

  it.each([
    'https://elsewhere.example/picture.png',
    `https://elsewhere.example/api/v1/media/${organizationId}/uploads/${id}`,
    `//elsewhere.example/api/v1/media/${organizationId}/uploads/${id}`,
    `ftp://gateway.example/api/v1/media/${organizationId}/uploads/${id}`,
    `/api/v1/media/${organizationId}/uploads/..%2f${id}`,
    'http://[',
  ])('is not in %p', (url) => expect(keyOfMediaUrl(url)).toBeUndefined());
});
