import { catalogue } from '../../language/catalogue.ts';

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
