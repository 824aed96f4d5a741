import { catalogue } from '../language/catalogue.ts';

/** Words of the types of messages that can be sent. */
export const typeWords = catalogue({
  text: { en: 'Text', id: 'Teks', ar: 'نص' },
  image: { en: 'Picture', id: 'Gambar', ar: 'صورة' },
  video: { en: 'Video', id: 'Video', ar: 'فيديو' },
  audio: { en: 'Audio', id: 'Audio', ar: 'صوت' },
  document: { en: 'Document', id: 'Dokumen', ar: 'مستند' },
  location: { en: 'Location', id: 'Lokasi', ar: 'موقع' },
  contact: { en: 'Contact', id: 'Kontak', ar: 'جهة اتصال' },
  poll: { en: 'Poll', id: 'Jajak pendapat', ar: 'استطلاع' },
});

export const texts = catalogue({
  type: { en: 'Type', id: 'Jenis', ar: 'النوع' },
  message: { en: 'Message', id: 'Pesan', ar: 'الرسالة' },
  url: { en: 'URL of the file', id: 'URL berkas', ar: 'رابط الملف' },
  urlHint: {
    en: 'A public address, or choose a file below.',
    id: 'Alamat publik, atau pilih berkas di bawah.',
    ar: 'عنوان عام، أو اختر ملفاً أدناه.',
  },
  file: { en: 'File', id: 'Berkas', ar: 'ملف' },
  uploading: { en: 'Uploading', id: 'Mengunggah', ar: 'جارٍ الرفع' },
  caption: { en: 'Caption', id: 'Keterangan', ar: 'التعليق' },
  filename: { en: 'File name', id: 'Nama berkas', ar: 'اسم الملف' },
  latitude: { en: 'Latitude', id: 'Lintang', ar: 'خط العرض' },
  longitude: { en: 'Longitude', id: 'Bujur', ar: 'خط الطول' },
  place: { en: 'Name of the place', id: 'Nama tempat', ar: 'اسم المكان' },
  address: { en: 'Address', id: 'Alamat', ar: 'العنوان' },
  contactName: { en: 'Name on the card', id: 'Nama di kartu', ar: 'الاسم على البطاقة' },
  contactPhone: { en: 'Phone on the card', id: 'Telepon di kartu', ar: 'الهاتف على البطاقة' },
  question: { en: 'Question', id: 'Pertanyaan', ar: 'السؤال' },
  options: { en: 'Options', id: 'Pilihan', ar: 'الخيارات' },
  optionsHint: { en: 'One in each line.', id: 'Satu per baris.', ar: 'واحد في كل سطر.' },
  several: { en: 'Several may be chosen', id: 'Boleh memilih beberapa', ar: 'يجوز اختيار عدة خيارات' },
});
