import { describe, expect, it } from '@jest/globals';
import { contentOf, contentTypes, summaryOf, valuesOf } from './composing.ts';

const contents = {
  text: { text: 'Hello' },
  image: { url: 'https://a.example/a.png', caption: 'A picture', mimetype: 'image/png' },
  video: { url: 'https://a.example/a.mp4', gif: true },
  audio: { url: 'https://a.example/a.ogg', ptt: true },
  document: { url: 'https://a.example/a.pdf', filename: 'a.pdf' },
  location: { latitude: 52.5, longitude: -13.3, name: 'Gate' },
  contact: {
    contacts: [
      { name: 'Ada', phone: '491', email: 'ada@example.com' },
      { name: 'Bob', phone: '492' },
    ],
  },
  poll: { question: 'When?', options: ['Monday', 'Tuesday'], allowMultiple: false },
} as const;

describe('the fields of a content', () => {
  it('give back what was read, also what no field shows', () => {
    for (const type of contentTypes)
      expect(contentOf(type, valuesOf(contents[type]), contents[type])).toEqual(contents[type]);
  });

  it('leave out what was emptied, and make a number of nothing no number', () => {
    const { image } = contents;
    expect(contentOf('image', { ...valuesOf(image), caption: ' ' }, image)).toEqual({
      url: image.url,
      mimetype: image.mimetype,
    });
    expect(contentOf('location', valuesOf())).toEqual({ latitude: Number.NaN, longitude: Number.NaN });
  });

  it('have a line for each type', () => {
    expect(contentTypes.map((type) => summaryOf(contents[type]))).toEqual([
      'Hello',
      'A picture',
      'https://a.example/a.mp4',
      'https://a.example/a.ogg',
      'a.pdf',
      'Gate',
      'Ada',
      'When?',
    ]);
  });
});
