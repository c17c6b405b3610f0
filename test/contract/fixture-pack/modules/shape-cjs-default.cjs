Object.defineProperty(exports, "__esModule", { value: true });
exports.default = {
  shape: "default.default",
  run() {
    return { shape: this.shape };
  },
};
