import type { Indexes } from "../build-indexes.ts";

export const answerSubjectIndex: Indexes = {
  idempotent_answer_subject: "idempotent_answer (subject_uuid)",
};
