import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  noGaps: { en: 'It has no gaps.', id: 'Tidak ada celah.', ar: 'لا فراغات فيه.' },
  missing: { en: 'Missing: {names}', id: 'Kurang: {names}', ar: 'الناقص: {names}' },
  complete: { en: 'Nothing is missing.', id: 'Tidak ada yang kurang.', ar: 'لا ينقص شيء.' },
  rendered: { en: 'As it would be sent', id: 'Seperti yang akan dikirim', ar: 'كما سيُرسل' },
});
