print(`a`)
