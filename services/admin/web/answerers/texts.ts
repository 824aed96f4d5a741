import { catalogue } from '../language/catalogue.ts';

export const kindWords = catalogue({
  flow: { en: 'Flow', id: 'Alur', ar: 'تدفق' },
  rule: { en: 'Auto-reply', id: 'Balasan otomatis', ar: 'رد تلقائي' },
  'webhook-reply': { en: 'URL', id: 'URL', ar: 'رابط' },
  'ai-hook': { en: 'AI', id: 'AI', ar: 'ذكاء اصطناعي' },
  typebot: { en: 'Typebot', id: 'Typebot', ar: 'Typebot' },
});

export const verdictWords = catalogue({
  answers: { en: 'Answers', id: 'Menjawab', ar: 'يجيب' },
  disabled: { en: 'Is disabled', id: 'Nonaktif', ar: 'معطّل' },
  no_match: { en: 'Does not match', id: 'Tidak cocok', ar: 'لا يطابق' },
  condition: { en: 'A condition does not hold', id: 'Syarat tidak terpenuhi', ar: 'شرط لا يتحقق' },
  groups: { en: 'Keeps still in groups', id: 'Diam di grup', ar: 'يصمت في المجموعات' },
  cooldown: { en: 'Has just answered', id: 'Baru saja menjawab', ar: 'أجاب للتو' },
  handover: { en: 'The chat is left to people', id: 'Percakapan ditangani orang', ar: 'المحادثة متروكة للناس' },
  muted: { en: 'The chat answers too often', id: 'Percakapan terlalu sering menjawab', ar: 'المحادثة تجيب كثيراً' },
  earlier: { en: 'Another one answers before it', id: 'Yang lain menjawab lebih dulu', ar: 'غيره يجيب قبله' },
});

export const texts = catalogue({
  evaluate: { en: 'Who would answer', id: 'Siapa yang akan menjawab', ar: 'من سيجيب' },
  evaluateText: {
    en: 'Asks everything that answers by itself. Nothing is sent.',
    id: 'Menanyakan semua yang menjawab sendiri. Tidak ada yang dikirim.',
    ar: 'يسأل كل ما يجيب تلقائياً. لا يُرسل شيء.',
  },
  ask: { en: 'Ask', id: 'Tanya', ar: 'اسأل' },
  from: { en: 'From (optional)', id: 'Dari (opsional)', ar: 'من (اختياري)' },
  fromHint: {
    en: 'A phone number; empty: a stranger.',
    id: 'Nomor telepon; kosong: orang asing.',
    ar: 'رقم هاتف؛ فارغ: غريب.',
  },
  candidates: { en: 'Candidates', id: 'Calon', ar: 'المرشحون' },
  kind: { en: 'Kind', id: 'Jenis', ar: 'النوع' },
  verdict: { en: 'Verdict', id: 'Keputusan', ar: 'الحكم' },
  nobody: { en: 'Nobody would answer.', id: 'Tidak ada yang akan menjawab.', ar: 'لن يجيب أحد.' },
});
