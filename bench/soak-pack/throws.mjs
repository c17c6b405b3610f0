export default async () => {
  throw new Error("thrown by the soak's pack");
};
