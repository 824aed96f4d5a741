import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Sign in', id: 'Masuk', ar: 'تسجيل الدخول' },
  email: { en: 'E-mail', id: 'Surel', ar: 'البريد الإلكتروني' },
  password: { en: 'Password', id: 'Kata sandi', ar: 'كلمة المرور' },
  newHere: { en: 'New here?', id: 'Baru di sini?', ar: 'جديد هنا؟' },
  create: { en: 'Create an account', id: 'Buat akun', ar: 'إنشاء حساب' },
  forgotten: {
    en: 'Forgotten? Whoever administers members can give you a temporary password.',
    id: 'Lupa? Pengelola anggota dapat memberi kata sandi sementara.',
    ar: 'نسيتها؟ يستطيع من يدير الأعضاء أن يعطيك كلمة مرور مؤقتة.',
  },
});
