import { buildPages } from '../page.js';

/** Language, question, and the visitor's two answers. */
const QUESTIONS: readonly (readonly [string, string, string, string])[] = [
  ['en', 'You need to be over 18 to enter. Are you over 18?', 'Yes', 'No'],
  ['en', 'Were you born before 2008? Beer lovers only.', 'Yes, enter', 'No'],
  ['en', 'Please confirm you are of legal drinking age in your country.', 'Yes', 'No'],
  ['de', 'Bitte bestätigen Sie Ihr Alter: über 18 Jahre alt?', 'Ja', 'Nein'],
  ['de', 'Bist du alt genug für unser Bier?', 'Ja', 'Nein'],
  ['fr', "Avez-vous l'âge légal pour consommer de l'alcool ?", 'Oui', 'Non'],
  ['es', '¿Tienes más de 18 años?', 'Sí', 'No'],
  ['pt', 'Você tem mais de 18 anos?', 'Sim', 'Não'],
  ['it', "Hai l'età legale per bere?", 'Sì', 'No'],
  ['nl', 'Ben je ouder dan 18 jaar?', 'Ja', 'Nee'],
  ['pl', 'Czy jesteś pełnoletni?', 'Tak', 'Nie'],
  ['ja', 'あなたは20歳以上ですか？', 'はい', 'いいえ'],
  ['ja', '未成年の方はご利用いただけません。成人ですか？', 'はい', 'いいえ'],
  ['sv', 'Är du över 20 år?', 'Ja', 'Nej'],
  ['cs', 'Je vám 18 let?', 'Ano', 'Ne'],
  ['tr', '18 yaşından büyük müsünüz?', 'Evet', 'Hayır'],
  ['ru', 'Вам есть 18 лет?', 'Да', 'Нет'],
];

/** To which only the visitor has the answer: they stay, and nothing on them is clicked ("no" takes each away). */
export const AGE_GATES = buildPages(
  QUESTIONS.map(([language, question, yes, no]) => ({
    name: `${language}: ${question}`,
    over: `<div class="gate"><div class="box" role="dialog" aria-modal="true"><h2>${question}</h2><button>${yes}</button><button onclick="this.closest('.gate').remove()">${no}</button></div></div>`,
    head: '<style>.gate{position:fixed;inset:0;background:#000a;z-index:9999}.box{margin:20vh auto;width:480px;background:#fff;padding:24px}</style>',
    stays: ['.gate', '.box', '.box button', 'main'],
  })),
);
