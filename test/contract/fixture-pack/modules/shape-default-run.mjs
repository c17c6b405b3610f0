class Tool {
  #shape = "default.run";
  run() {
    return { shape: this.#shape };
  }
}

export default new Tool();
