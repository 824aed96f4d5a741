import { catalogue } from '../../language/catalogue.ts';

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
  title: { en: 'Automation', id: 'Otomasi', ar: 'الأتمتة' },
  create: { en: 'Create flow', id: 'Buat alur', ar: 'إنشاء تدفق' },
  order: {
    en: 'The first that fits answers a message. Change the order by the actions of a row.',
    id: 'Yang pertama cocok menjawab pesan. Ubah urutan lewat tindakan baris.',
    ar: 'يجيب الرسالة أول ما يناسبها. غيّر الترتيب من إجراءات الصف.',
  },
  place: { en: 'Place', id: 'Urutan', ar: 'الترتيب' },
  trigger: { en: 'Trigger', id: 'Pemicu', ar: 'المحفّز' },
  steps: { en: 'Steps', id: 'Langkah', ar: 'الخطوات' },
  up: { en: 'Move up', id: 'Naikkan', ar: 'تحريك لأعلى' },
  down: { en: 'Move down', id: 'Turunkan', ar: 'تحريك لأسفل' },
  moved: { en: '{name} has place {place} now.', id: '{name} kini urutan {place}.', ar: 'صار ترتيب {name} هو {place}.' },
  empty: { en: 'No flows yet', id: 'Belum ada alur', ar: 'لا تدفقات بعد' },
  emptyText: {
    en: 'Steps that are carried out by themselves when a message fits, or at a time.',
    id: 'Langkah yang berjalan sendiri bila pesan cocok, atau pada waktunya.',
    ar: 'خطوات تُنفذ تلقائياً حين تناسبها رسالة، أو في وقت.',
  },
  removeText: {
    en: '{name} answers nothing any more. Its runs that wait are cancelled.',
    id: '{name} tidak menjawab lagi. Yang menunggu dibatalkan.',
    ar: 'لن يجيب {name} بعد الآن. يُلغى ما ينتظر من تشغيله.',
  },
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
  handedOver: { en: 'Chats left to people', id: 'Percakapan ditangani orang', ar: 'محادثات متروكة للناس' },
  handedOverText: {
    en: 'Nothing answers there by itself. Of the 200 chats that come first in the inbox.',
    id: 'Tidak ada yang menjawab sendiri di sana. Dari 200 percakapan teratas di kotak masuk.',
    ar: 'لا شيء يجيب فيها تلقائياً. من أول 200 محادثة في صندوق الوارد.',
  },
  chat: { en: 'Chat', id: 'Percakapan', ar: 'المحادثة' },
  until: { en: 'Until', id: 'Sampai', ar: 'حتى' },
  resume: { en: 'Give back to automation', id: 'Kembalikan ke otomasi', ar: 'إعادة إلى الأتمتة' },
  noHandedOver: { en: 'There are none.', id: 'Tidak ada.', ar: 'لا توجد.' },
});
