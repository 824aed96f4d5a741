import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  participants: { en: 'Participants', id: 'Peserta', ar: 'المشاركون' },
  participantsHint: {
    en: 'Phone numbers with country code, one a line.',
    id: 'Nomor telepon dengan kode negara, satu per baris.',
    ar: 'أرقام هواتف مع رمز البلد، رقم في كل سطر.',
  },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  description: { en: 'Description', id: 'Deskripsi', ar: 'الوصف' },
  results: { en: 'Results', id: 'Hasil', ar: 'النتائج' },
  person: { en: 'Person', id: 'Orang', ar: 'الشخص' },
  result: { en: 'Result', id: 'Hasil', ar: 'النتيجة' },
  done: { en: 'Done', id: 'Selesai', ar: 'تم' },
  refused: { en: 'Refused ({status})', id: 'Ditolak ({status})', ar: 'مرفوض ({status})' },
});
